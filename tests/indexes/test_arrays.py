"""Vectors as arrays, against records read one by one."""

import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes import gathering
from dragoman.indexes.arrays import ABSENT, Arrays, Damaged
from dragoman.indexes.gathering import Gathering, arrays_of, write_arrays
from dragoman.indexes.ids import point_id
from dragoman.indexes.loops import widened
from dragoman.indexes.spaces import Record, Sparse
from dragoman.types import Document
from stored import dense_score, record, sparse_score

SPACES = ("words", "passages")
QUERY = Sparse(np.array([1, 5, 9, 12, 999], dtype=np.uint32), np.array([1.0, 0.5, 2.0, 0.1, 3.0]))
VECTOR = np.array([0.5, -1.0, 0.25, 2.0], dtype=np.float32)


def some(count=60):
    return [record(n, "de" if n % 3 else "sw") for n in range(count)]


def on_disk(records, folder):
    gathered = Gathering(SPACES, folder.parent)
    gathered.add(records)
    write_arrays(gathered, folder)
    return Arrays.load(folder)


def test_products_and_scores_are_those_of_the_records(tmp_path):
    records = some()
    for arrays in (arrays_of(records, SPACES), on_disk(records, tmp_path / "arrays")):
        rows = arrays.rows([mine.document.doc_id for mine in records])
        products = arrays.spaces["words"].products(QUERY, len(arrays))[rows]
        assert products == pytest.approx([sparse_score(QUERY, mine) for mine in records], rel=1e-6)
        scores = arrays.spaces["passages"].scores(VECTOR, rows)
        assert scores == pytest.approx([dense_score(VECTOR, mine) for mine in records], rel=1e-5)


def test_every_finite_half_is_widened_exactly():
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    finite = halves[np.isfinite(halves)]
    assert np.array_equal(widened(finite), finite.astype(np.float32))
    assert np.array_equal(np.signbit(widened(finite)), np.signbit(finite))


def test_a_language_is_a_span_of_rows_in_the_order_of_ids():
    arrays = arrays_of(some(), SPACES)
    assert arrays.languages == {"de": (0, 40), "sw": (40, 60)}
    for first, last in arrays.languages.values():
        ids = [arrays.ids[row] for row in range(first, last)]
        assert ids == sorted(ids)
    assert arrays.spans(["sw", "nowhere"]) == [(40, 60)]


def test_every_passage_is_known_by_its_point():
    arrays = arrays_of([record(2), record(3)], SPACES)  # three passages, one passage
    two, three = arrays.rows(["d2", "d3"])
    asked = [point_id("d2"), point_id("d2", 2), point_id("d3"), point_id("d3", 1)]
    assert arrays.rows_of_points(asked).tolist() == [two, two, three, ABSENT]


@given(st.lists(st.integers(0, 200), unique=True, max_size=40), st.integers(1, 50))
@settings(max_examples=25, deadline=None)
def test_records_come_back_whatever_fits_into_memory(numbers, portion):
    records = [record(n, "de" if n % 2 else "") for n in numbers]
    records.append(Record(Document("bare", "", language="fr"), {}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(gathering, "PORTION", portion)
        patch.setattr(gathering, "BIN_BITS", 1)
        patch.setattr(gathering, "SPILLED", 64)
        patch.setattr(gathering, "BLOCK", 3)
        arrays = arrays_of(records, SPACES)
    expected = {mine.document.doc_id: mine for mine in records}
    found = {mine.document.doc_id: mine for mine in arrays.records()}
    assert found.keys() == expected.keys()
    for doc_id, mine in found.items():
        theirs = expected[doc_id]
        assert mine.document.language == theirs.document.language
        assert mine.vectors.keys() == theirs.vectors.keys()
        if mine.vectors:
            words, their_words = mine.vectors["words"], theirs.vectors["words"]
            assert words.dimensions.tolist() == their_words.dimensions.tolist()
            assert words.weights.tolist() == their_words.weights.tolist()
            halved = theirs.vectors["passages"].astype(np.float16)
            assert np.array_equal(mine.vectors["passages"], halved.astype(np.float32))


def test_a_space_that_comes_late_has_nothing_for_those_before():
    arrays = arrays_of([Record(Document("a", ""), {}), record(1)], SPACES)
    assert [sorted(mine.vectors) for mine in arrays.records()] == [[], ["passages", "words"]]
    assert np.isnan(arrays.spaces["passages"].scores(VECTOR, arrays.rows(["a"]))).all()
    assert arrays_of([], SPACES).rows(["a"]).tolist() == [ABSENT]


def edit(path, place, value):
    array = np.load(path)
    array[place] = value
    np.save(path, array)


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / "facts.json").write_text("{"),
        lambda folder: (folder / "facts.json").write_text('{"format": 99}'),
        lambda folder: (folder / "words.rows.npy").unlink(),
        lambda folder: (folder / "passages.vectors.npy").write_bytes(b"\x93NUMPY"),
        lambda folder: np.save(folder / "words.weights.npy", np.ones(3, np.float32)),
        lambda folder: np.save(folder / "passages.starts.npy", np.zeros(4, np.int64)),
        lambda folder: np.save(folder / "owners.npy", np.zeros(1, np.int32)),
        lambda folder: edit(folder / "owners.npy", 3, 60),
        lambda folder: edit(folder / "words.starts.npy", 3, 1_000_000),
        lambda folder: edit(folder / "passages.starts.npy", 3, -1),
        lambda folder: edit(folder / "ids.offsets.npy", 3, 0),
        lambda folder: np.save(folder / "passages.factors.npy", np.ones(3, np.float32)),
        lambda folder: np.save(folder / "passages.spread.npy", np.ones(5, np.float32)),
        lambda folder: np.save(folder / "passages.signs.npy", np.ones((1, 119), np.int64)),
        lambda folder: np.save(folder / "passages.vectors.npy", np.ones(119, np.float16)),
    ],
    ids=[
        "facts",
        "format",
        "missing",
        "cut",
        "weights",
        "starts",
        "owners",
        "an owner",
        "a start of postings",
        "a start of passages",
        "a start of ids",
        "sketches of others",
        "a spread of another size",
        "another kind of numbers",
        "vectors in a row",
    ],
)
def test_damage_is_noticed_when_arrays_are_loaded(tmp_path, damage):
    on_disk(some(), tmp_path / "whole")
    shutil.copytree(tmp_path / "whole", tmp_path / "damaged")
    damage(tmp_path / "damaged")
    with pytest.raises(Damaged, match=r"."):
        Arrays.load(tmp_path / "damaged")


def test_a_posting_of_no_document_is_noticed_when_it_is_read(tmp_path):
    on_disk(some(), tmp_path / "arrays")
    rows = np.load(tmp_path / "arrays" / "words.rows.npy")
    np.save(tmp_path / "arrays" / "words.rows.npy", np.full_like(rows, 60))
    arrays = Arrays.load(tmp_path / "arrays")
    with pytest.raises(Damaged, match="names no document"):
        arrays.spaces["words"].products(QUERY, len(arrays))
