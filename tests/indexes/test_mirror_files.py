"""A mirror that is missing, stale or damaged is never asked; the next one is made by optimising."""

import shutil

import numpy as np
import pytest

from dragoman.indexes import mirrored
from dragoman.indexes.edge import EdgeStore
from dragoman.indexes.filters import Filter
from dragoman.indexes.mirror_files import POINTER
from dragoman.indexes.spaces import Sparse
from stored import SPACES, record

NAMES = [space.name for space in SPACES]
WORDS = Sparse(np.arange(30, dtype=np.uint32), np.ones(30))


@pytest.fixture
def folder(tmp_path):
    """A closed store of 30 documents with a mirror."""
    store = EdgeStore.create(tmp_path / "store", SPACES)
    store.add([record(n) for n in range(30)])
    store.optimize(NAMES)
    store.close()
    return tmp_path / "store"


def names_in(folder):
    return sorted(path.name.partition("-")[0] for path in folder.iterdir())


def found(store):
    return {hit.doc_id for hit in store.nearest("words", WORDS, 100)}


def test_a_mirror_is_there_when_the_store_is_opened_again(folder):
    assert names_in(folder) == ["ids", "lock", "mirror", "mirror", "shard"]
    store = EdgeStore.open(folder)
    assert store.is_mirrored(NAMES)
    assert not store.is_mirrored([*NAMES, "other"])
    before = store.reflection(NAMES, Filter()).mirror
    store.optimize(NAMES)  # nothing to do
    assert store.reflection(NAMES, Filter()).mirror is before
    store.close()


def test_what_has_changed_is_kept_beside_the_arrays(folder):
    for number in (30, 31):
        store = EdgeStore.open(folder)
        store.add([record(number)])
        store.delete([f"d{number - 30}"])
        assert names_in(folder).count("changes") == (number == 31)
        store.close()
    assert names_in(folder) == ["changes", "ids", "lock", "mirror", "mirror", "shard"]
    store = EdgeStore.open(folder)
    mirror = store.reflection(NAMES, Filter()).mirror
    assert sorted(mirror.recent) == ["d30", "d31"]
    assert found(store) == {f"d{n}" for n in range(2, 32)}
    store.optimize(NAMES)
    assert names_in(folder).count("changes") == 0
    assert found(store) == {f"d{n}" for n in range(2, 32)}
    store.close()


def test_after_a_crash_the_mirror_of_before_is_not_asked(folder, tmp_path):
    store = EdgeStore.open(folder)
    store.add([record(30)])
    shutil.copytree(folder, tmp_path / "crashed", ignore=shutil.ignore_patterns("lock"))
    store.close()
    again = EdgeStore.open(tmp_path / "crashed")
    assert "has changed since" in again.mirror_fault
    assert again.reflection(NAMES, Filter()) is None
    assert found(again) == {f"d{n}" for n in range(31)}
    assert names_in(tmp_path / "crashed") == ["lock", "shard"]
    again.optimize(NAMES)
    assert again.is_mirrored(NAMES)
    assert found(again) == {f"d{n}" for n in range(31)}
    again.close()


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / POINTER).write_text("{"),
        lambda folder: (folder / POINTER).write_text('{"base": "../elsewhere", "changes": null}'),
        lambda folder: next(folder.glob("mirror-*/words.rows.npy")).unlink(),
        lambda folder: np.save(next(folder.glob("changes-*")) / "gone.npy", np.zeros(3, bool)),
        lambda folder: shutil.rmtree(next(folder.glob("changes-*"))),
    ],
    ids=["no JSON", "outside", "arrays", "another length", "changes"],
)
def test_a_damaged_mirror_is_not_asked(folder, damage):
    store = EdgeStore.open(folder)
    store.add([record(30)])
    store.close()
    damage(folder)
    store = EdgeStore.open(folder)
    assert store.mirror_fault
    assert found(store) == {f"d{n}" for n in range(31)}
    store.optimize(NAMES)
    assert not store.mirror_fault
    store.close()


def test_damage_that_shows_in_a_search_leaves_the_answer_to_the_engine(folder):
    path = next(folder.glob("mirror-*/words.rows.npy"))
    np.save(path, np.full_like(np.load(path), 1_000_000))
    store = EdgeStore.open(folder)
    assert found(store) == {f"d{n}" for n in range(30)}
    assert "names no document" in store.mirror_fault
    store.close()


def test_a_change_that_fails_leaves_no_mirror(folder, monkeypatch):
    store = EdgeStore.open(folder)
    monkeypatch.setattr("dragoman.indexes.edge.replace", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError, match="division"):
        store.add([record(30)])
    assert "has failed" in store.mirror_fault
    store.close()
    assert not (folder / POINTER).exists()


def test_changes_while_a_mirror_is_made_are_in_it(folder, monkeypatch):
    store = EdgeStore.open(folder)
    store.add([record(30)])
    take = mirrored.MirroredShard.take_mirror

    def meanwhile(self, gathering):
        store.add([record(31), record(2)])
        store.delete(["d3"])
        take(self, gathering)

    monkeypatch.setattr(mirrored.MirroredShard, "take_mirror", meanwhile)
    store.optimize(NAMES)
    expected = {f"d{n}" for n in range(32)} - {"d3"}
    assert found(store) == expected
    store.close()
    again = EdgeStore.open(folder)
    assert again.mirror_fault == ""
    assert found(again) == expected
    again.close()


def test_without_room_on_the_disk_there_is_no_mirror(folder, monkeypatch):
    store = EdgeStore.open(folder)
    store.add([record(30)])
    usage = shutil.disk_usage(folder)
    monkeypatch.setattr(mirrored, "disk_usage", lambda _: usage._replace(free=2**20))
    store._make_mirror(NAMES)
    assert "disk space" in store.mirror_fault
    assert found(store) == {f"d{n}" for n in range(31)}
    store.close()
