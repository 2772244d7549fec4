import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.indexes import ids
from dragoman.indexes.ids import KnownIds, point_id

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


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
            remembered.remember({doc_id: 1})
            remembered.remember({doc_id: count})
    for doc_id, count in known.items():
        asked = [point_id(doc_id, passage) for passage in range(count + 1)]
        assert remembered.of(asked) == [doc_id] * count + [None]
    assert len(remembered) == sum(known.values())
    points, unknown = remembered.points([*known, "never seen"])
    assert sorted(remembered.of(points)) == sorted(d for d, n in known.items() for _ in range(n))
    assert unknown == ["never seen"]


def test_what_was_saved_is_known_after_loading_and_can_grow(tmp_path):
    first = KnownIds.empty()
    first.remember({"a": 2, "ä": 1, "長": 3})
    first.save(tmp_path / "ids")
    again = KnownIds.load(tmp_path / "ids")
    assert again.of([point_id("ä"), point_id("長", 2), point_id("new")]) == ["ä", "長", None]
    again.remember({"new": 1, "a": 4})
    assert again.of([point_id("ä"), point_id("a", 3), point_id("new")]) == ["ä", "a", "new"]
    again.save(tmp_path / "ids")
    loaded = KnownIds.load(tmp_path / "ids")
    assert len(loaded) == 9
    assert loaded.of([point_id("a", 1), point_id("a", 3)]) == ["a", "a"]


def test_what_is_known_is_written_where_it_is_new_or_gone(tmp_path):
    known = KnownIds.empty()
    known.save(tmp_path / "ids")
    assert not (tmp_path / "ids").exists()
    known.remember({"a": 2})
    known.save(tmp_path / "ids")
    shutil.rmtree(tmp_path / "ids")
    known.save(tmp_path / "ids")
    assert len(KnownIds.load(tmp_path / "ids")) == 2


@pytest.mark.parametrize("name", ["points.npy", "owners.npy", "names.offsets.npy"])
def test_what_is_damaged_or_missing_is_not_known(tmp_path, name):
    assert len(KnownIds.load(tmp_path / "nowhere")) == 0
    kept = KnownIds.empty()
    kept.remember({"a": 1, "b": 1})
    kept.save(tmp_path / "ids")
    np.save(tmp_path / "ids" / name, np.zeros(1, dtype=np.int64))
    assert KnownIds.load(tmp_path / "ids").of([point_id("a")]) == [None]
    (tmp_path / "ids" / name).write_bytes(b"damaged")
    assert KnownIds.load(tmp_path / "ids").of([point_id("a")]) == [None]
