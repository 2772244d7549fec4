"""Every kind of space: segments that are merged are the segment that is built at once."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.errors import UserError
from dragoman.indexes.kinds import KINDS, counts
from dragoman.indexes.memtable import from_bytes, pack_record, to_bytes
from dragoman.indexes.merging import merge
from dragoman.indexes.segment import Entry, Segment, SegmentReader
from dragoman.indexes.spaces import Bag, Counts, Record, Space, SpaceKind
from dragoman.lexicons.sounds import sound_merging
from dragoman.storage import gathering
from dragoman.types import Document

SIZE = 3
HALVES = st.sampled_from([-2.0, -0.5, 0.0, 0.25, 1.0, 3.0])
DIMENSIONS = st.sampled_from([0, 1, 7, 500, 2**31, 2**32 - 1])
NAMES = ("anna", "hanna", "johanna", "москва", "", "schmidt", "a b", "بانثرز")
WORDS = st.sampled_from(NAMES)


def _counts(drawn: dict[int, float]) -> Counts:
    dimensions = np.array(sorted(drawn), np.uint32)
    return Counts(dimensions, np.array([drawn[d] for d in sorted(drawn)]), len(drawn) + 1)


def _bag(drawn: dict[str, int]) -> Bag:
    points = [np.frombuffer(f"{key:6}".encode()[:SIZE], np.uint8) for key in drawn]
    return Bag([*drawn], np.array([*drawn.values()]), np.array(points, np.float32))


VECTORS = {
    SpaceKind.COUNTS: st.dictionaries(DIMENSIONS, st.sampled_from([0.5, 1.0, 2.5])).map(_counts),
    SpaceKind.ROWS: st.lists(st.lists(HALVES, min_size=SIZE, max_size=SIZE), min_size=1, max_size=3)
    .map(lambda drawn: np.array(drawn[0] if len(drawn) == 1 else drawn)),
    SpaceKind.WORDS: st.lists(WORDS, unique=True),
    SpaceKind.BAGS: st.dictionaries(WORDS, st.integers(1, 5), min_size=1).map(_bag),
}  # fmt: skip


@contextmanager
def merged(kind: SpaceKind, drawn: list[tuple]) -> Iterator[tuple[Segment, Segment]]:
    """What comes of merging segments, and what of building a segment of the live documents."""
    spaces = (Space("one", kind, SIZE),)
    segments: dict[int, list[tuple[Entry, bool]]] = {}
    for number, (vector, language, place, deleted) in enumerate(drawn):
        doc_id = f"d{number}"
        vectors = {} if vector is None else {"one": vector}
        mine = pack_record(Record(Document(doc_id, ""), vectors), spaces)
        entry = Entry(100 - number, doc_id, language, from_bytes(to_bytes(mine)))
        segments.setdefault(place, []).append((entry, deleted))
    live = []
    for mine in segments.values():
        segment = Segment.of([entry for entry, _ in mine], spaces)
        gone = {entry.key for entry, deleted in mine if deleted}
        deleted = np.array([key in gone for key in segment.keys.tolist()], np.bool_)
        live.append(SegmentReader(segment, deleted if gone else np.zeros(0, np.bool_)))
    left = [entry for mine in segments.values() for entry, deleted in mine if not deleted]
    with TemporaryDirectory() as folder:
        identity, count = merge(Path(folder, "merged"), live, spaces)
        assert count == len(left)
        yield Segment.open(Path(folder, "merged"), identity), Segment.of(left, spaces)


def documents(kind: SpaceKind) -> st.SearchStrategy:
    """Vectors, or none, with a language, a segment, and whether the document is deleted."""
    vectors = st.none() | VECTORS[kind]
    places = st.sampled_from(["de", "en", "sw"]), st.integers(0, 3)
    return st.lists(st.tuples(vectors, *places, st.booleans()), min_size=1, max_size=12)


def assert_same_arrays(mine: Segment, other: Segment) -> None:
    assert mine.languages == other.languages
    assert mine.arrays.arrays.keys() == other.arrays.arrays.keys()
    for name, array in mine.arrays.arrays.items():
        assert array.tolist() == other.arrays.arrays[name].tolist(), name
        assert array.dtype == other.arrays.arrays[name].dtype, name


@pytest.mark.parametrize("at_once", [1, 1 << 22])
@settings(max_examples=40, deadline=None)
@given(drawn=documents(SpaceKind.COUNTS))
def test_postings(at_once, drawn):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(counts, "MERGED_AT_ONCE", at_once)
        with merged(SpaceKind.COUNTS, drawn) as (mine, built):
            assert_same_arrays(mine, built)


@pytest.mark.parametrize("at_once", [1, 1 << 22])
@settings(max_examples=40, deadline=None)
@given(drawn=documents(SpaceKind.ROWS))
def test_rows(at_once, drawn):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "BYTES_AT_ONCE", at_once)
        with merged(SpaceKind.ROWS, drawn) as (mine, built):
            assert_same_arrays(mine, built)


@pytest.mark.parametrize("at_once", [1, 1 << 16])
@settings(max_examples=40, deadline=None)
@given(drawn=documents(SpaceKind.WORDS))
def test_words(at_once, drawn):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "BYTES_AT_ONCE", at_once)
        patch.setattr(sound_merging, "MERGED_AT_ONCE", at_once)
        patch.setattr(sound_merging, "BLOCKS_AT_ONCE", at_once)
        with merged(SpaceKind.WORDS, [(*one, False) for *one, _ in drawn]) as (mine, built):
            assert_same_arrays(mine, built)


@settings(max_examples=40, deadline=None)
@given(drawn=documents(SpaceKind.WORDS))
def test_words_of_deleted_documents_may_stay_and_no_other_is_lost(drawn):
    every = {word for vector, *_ in drawn for word in vector or ()}
    with merged(SpaceKind.WORDS, drawn) as (mine, built):
        for language in built.words("one").languages:
            words = {*mine.words("one").words(language)}
            assert {*built.words("one").words(language)} <= words <= every


def bags_of(segment: Segment) -> list[dict[str, tuple[int, list[float]]]]:
    """By document: key -> its count and its point."""
    bags = segment.bags("one")
    return [
        {
            bags.strings[key]: (count, bags.points[key].tolist())
            for key, count in zip(
                bags.keys[first:last].tolist(), bags.counts[first:last].tolist(), strict=True
            )
        }
        for first, last in zip(bags.starts[:-1].tolist(), bags.starts[1:].tolist(), strict=True)
    ]


@pytest.mark.parametrize("at_once", [1, 1 << 22])
@settings(max_examples=40, deadline=None)
@given(drawn=documents(SpaceKind.BAGS))
def test_bags(at_once, drawn):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "BYTES_AT_ONCE", at_once)
        with merged(SpaceKind.BAGS, drawn) as (mine, built):
            assert list(mine.ids) == list(built.ids)
            assert bags_of(mine) == bags_of(built)
            assert sorted(mine.bags("one").strings) == sorted(built.bags("one").strings)


@pytest.mark.parametrize("number", [np.inf, np.nan, 70_000.0])
def test_rows_that_are_not_finite_in_half_precision_are_refused(number):
    with pytest.raises(UserError, match="not finite in half precision"):
        KINDS[SpaceKind.ROWS].pack(np.array([[1.0, 2.0], [3.0, number]]))


@pytest.mark.parametrize("number", [np.inf, np.nan])
def test_counts_that_are_not_finite_are_refused(number):
    with pytest.raises(UserError, match="a count that is not a finite number"):
        KINDS[SpaceKind.COUNTS].pack(Counts(np.array([1]), np.array([number]), 1))


def test_more_of_a_word_than_half_precision_counts_is_as_many_as_it_can():
    vector = Counts(np.array([1, 2]), np.array([3.0, 70_000.0]), 70_003)
    assert KINDS[SpaceKind.COUNTS].pack(vector)["counts"].tolist() == [3.0, 65_504.0]


@pytest.mark.parametrize("number", [np.inf, np.nan])
def test_points_that_are_not_finite_are_refused(number):
    with pytest.raises(UserError, match="the point of a word"):
        KINDS[SpaceKind.BAGS].pack(Bag(["a"], np.array([1]), np.array([[number, 0.0]])))


def test_what_is_refused_names_the_document_and_the_space():
    record = Record(Document("a", ""), {"one": np.array([np.nan])})
    with pytest.raises(UserError, match="document 'a', one: found a row"):
        pack_record(record, (Space("one", SpaceKind.ROWS, 1),))


def test_every_kind_has_a_module():
    assert KINDS.keys() == VECTORS.keys() == {*SpaceKind}
