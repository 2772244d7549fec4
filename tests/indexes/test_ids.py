import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes import ids
from dragoman.indexes.ids import KnownIds, point_id

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@given(texts, texts)
def test_point_ids_tell_documents_apart(first, second):
    assert (point_id(first) == point_id(second)) == (first == second)


@given(st.sets(texts, max_size=20), st.sets(texts, max_size=20), st.integers(0, 10))
@settings(max_examples=50, deadline=None)
def test_what_was_remembered_is_known_and_nothing_else(known, others, merged_above):
    remembered = KnownIds.empty()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ids, "MERGED_ABOVE", merged_above)
        for doc_id in sorted(known):
            remembered.remember([doc_id])
    asked = sorted(known | others)
    expected = [doc_id if doc_id in known else None for doc_id in asked]
    assert remembered.of([point_id(doc_id) for doc_id in asked]) == expected
    assert len(remembered) == len(known)


def test_what_was_saved_is_known_after_loading_and_can_grow(tmp_path):
    first = KnownIds.empty()
    first.remember(["a", "ä", "長"])
    first.save(tmp_path / "ids")
    again = KnownIds.load(tmp_path / "ids")
    assert again.of([point_id("ä"), point_id("new")]) == ["ä", None]
    again.remember(["new"])
    assert again.of([point_id("ä"), point_id("new")]) == ["ä", "new"]
    again.save(tmp_path / "ids")
    assert len(KnownIds.load(tmp_path / "ids")) == 4


def test_nothing_is_written_where_nothing_is_new(tmp_path):
    KnownIds.empty().save(tmp_path / "ids")
    assert not (tmp_path / "ids").exists()


def test_what_is_damaged_or_missing_is_not_known(tmp_path):
    assert len(KnownIds.load(tmp_path / "nowhere")) == 0
    kept = KnownIds.empty()
    kept.remember(["a", "b"])
    kept.save(tmp_path / "ids")
    np.save(tmp_path / "ids" / "points.npy", np.zeros(1, dtype=np.uint64))
    assert KnownIds.load(tmp_path / "ids").of([point_id("a")]) == [None]
    (tmp_path / "ids" / "points.npy").write_bytes(b"damaged")
    assert KnownIds.load(tmp_path / "ids").of([point_id("a")]) == [None]
