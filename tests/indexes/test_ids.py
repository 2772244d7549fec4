import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes import ids
from dragoman.indexes.ids import KnownIds, point_id

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def points_of(doc_id, count=1):
    return [(point_id(doc_id, passage), doc_id) for passage in range(count)]


@given(texts, texts, st.integers(0, 3), st.integers(0, 3))
def test_point_ids_tell_documents_and_passages_apart(first, second, passage, other):
    same = (first, passage) == (second, other)
    assert (point_id(first, passage) == point_id(second, other)) == same
    assert 0 <= point_id(first, passage) < 2**63


@given(st.dictionaries(texts, st.integers(1, 4), max_size=20), st.integers(0, 10))
@settings(max_examples=50, deadline=None)
def test_what_was_remembered_is_known_and_nothing_else(known, merged_above):
    remembered = KnownIds.empty()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ids, "MERGED_ABOVE", merged_above)
        for doc_id, count in sorted(known.items()):
            remembered.remember(points_of(doc_id, 1))
            remembered.remember(points_of(doc_id, count))
    for doc_id, count in known.items():
        asked = [point_id(doc_id, passage) for passage in range(count + 1)]
        assert remembered.of(asked) == [doc_id] * count + [None]
    assert len(remembered) == sum(known.values())


def test_what_was_saved_is_known_after_loading_and_can_grow(tmp_path):
    first = KnownIds.empty()
    first.remember([*points_of("a", 2), *points_of("ä"), *points_of("長", 3)])
    first.save(tmp_path / "ids")
    again = KnownIds.load(tmp_path / "ids")
    assert again.of([point_id("ä"), point_id("長", 2), point_id("new")]) == ["ä", "長", None]
    again.remember([*points_of("new"), *points_of("a", 4)])
    assert again.of([point_id("ä"), point_id("a", 3), point_id("new")]) == ["ä", "a", "new"]
    again.save(tmp_path / "ids")
    loaded = KnownIds.load(tmp_path / "ids")
    assert len(loaded) == 9
    assert loaded.of([point_id("a", 1), point_id("a", 3)]) == ["a", "a"]


def test_nothing_is_written_where_nothing_is_new(tmp_path):
    KnownIds.empty().save(tmp_path / "ids")
    assert not (tmp_path / "ids").exists()


@pytest.mark.parametrize("name", ["points.npy", "owners.npy", "names.offsets.npy"])
def test_what_is_damaged_or_missing_is_not_known(tmp_path, name):
    assert len(KnownIds.load(tmp_path / "nowhere")) == 0
    kept = KnownIds.empty()
    kept.remember([*points_of("a"), *points_of("b")])
    kept.save(tmp_path / "ids")
    np.save(tmp_path / "ids" / name, np.zeros(1, dtype=np.int64))
    assert KnownIds.load(tmp_path / "ids").of([point_id("a")]) == [None]
    (tmp_path / "ids" / name).write_bytes(b"damaged")
    assert KnownIds.load(tmp_path / "ids").of([point_id("a")]) == [None]
