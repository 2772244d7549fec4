"""The life of a store: changed, closed, opened, optimised while it is asked and changed."""

import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest

from dragoman.errors import IndexFault
from dragoman.indexes import optimizing, reading
from dragoman.indexes.edge import EdgeStore
from dragoman.indexes.gathering import Gathering
from dragoman.indexes.shards import current
from dragoman.indexes.spaces import Record
from dragoman.types import Document
from stored import SPACES, of_rows, record, same


def test_adding_again_replaces_and_deleting_removes(store):
    store.add([record(1, "de"), record(2, "de")])
    store.add([Record(Document("d1", "neu", language="fr"), record(1).vectors)])
    assert store.count() == 2
    assert store.languages() == {"de": 1, "fr": 1}
    store.delete(["d1", "never there"])
    assert store.count() == 1
    assert [hit.doc_id for hit in store.nearest("passages", np.ones(4, np.float32), 5)] == ["d2"]


def test_a_second_process_is_told_who_has_the_store_open(store):
    code = (
        "import sys; from pathlib import Path; from dragoman.indexes import edge;"
        "edge.PATIENCE = 0; edge.EdgeStore.open(Path(sys.argv[1]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(store.folder)], capture_output=True, text=True, check=False
    )
    assert "in use by process" in done.stderr


def test_a_damaged_store_is_refused_with_the_remedy(tmp_path):
    folder = tmp_path / "store"
    made = EdgeStore.create(folder, SPACES)
    made.add([record(n) for n in range(50)])
    made.close()
    for path in folder.rglob("*.json"):
        path.write_text("{ not json")
    with pytest.raises(IndexFault, match=r"damaged.*build the index again"):
        EdgeStore.open(folder)
    with pytest.raises(IndexFault, match="found no store"):
        EdgeStore.open(tmp_path / "elsewhere")


@pytest.fixture
def large(store, monkeypatch):
    """A store that counts as a large one, so that it is optimised in another process."""
    monkeypatch.setattr(reading, "EXACT_BELOW", 100)
    store.add([record(n) for n in range(300)])
    return store


def all_of(store):
    return sorted(store.records(["words", "passages"]), key=lambda mine: mine.document.doc_id)


def test_an_optimised_store_holds_what_it_held(large):
    before = all_of(large)
    large.optimize()
    after = all_of(large)
    assert len(after) == len(before) == 300
    assert all(map(same, before, after))
    assert [path.name for path in large.folder.glob("shard*")] == [current(large.folder).name]


def test_a_store_closed_optimised_holds_what_it_held(tmp_path, monkeypatch):
    for name, exact_below in {"small": 20_000, "large": 100}.items():
        monkeypatch.setattr(reading, "EXACT_BELOW", exact_below)
        made = EdgeStore.create(tmp_path / name, SPACES)
        made.add([record(n) for n in range(300)])
        before = all_of(made)
        gathering = Gathering(["words", "passages"], made.folder)
        gathering.add(before)
        made.close_optimized(gathering)
        again = EdgeStore.open(tmp_path / name)
        assert all(map(same, before, all_of(again)))
        assert again.is_mirrored(["words", "passages"])
        again.close()


def test_changes_during_an_optimisation_are_in_the_optimised_store(large, monkeypatch):
    finish = optimizing.finish

    def meanwhile(shard, process):
        large.add([record(1, "sw"), record(1_000)])
        large.delete(["d2"])
        assert large.count() == 300
        finish(shard, process)

    monkeypatch.setattr(optimizing, "finish", meanwhile)
    large.optimize()
    assert large.languages() == {"de": 299, "sw": 1}
    assert large.documents(["d1", "d2", "d1000"]) == [
        record(1, "sw").document,
        None,
        record(1_000).document,
    ]
    query = np.ones(4, np.float32)
    assert "d2" not in [hit.doc_id for hit in large.nearest("passages", query, 300)]


def test_passages_that_go_during_an_optimisation_are_gone_from_the_optimised_store(
    large, monkeypatch
):
    finish, before = optimizing.finish, large.count()
    first, second = np.eye(4, dtype=np.float32)[:2]
    large.add([of_rows(f"{name} many", [[9, 0, 0, 0]] * 40) for name in ("delete", "shorten")])
    large.add([of_rows("lengthen", [[9, 0, 0, 0]])])

    def meanwhile(shard, process):
        large.delete(["delete many"])
        large.add([of_rows("shorten many", [[0, 9, 0, 0]] * 2)])
        large.add([of_rows("lengthen", [[0, 8, 0, 0]] * 30), of_rows("come", [[0, 7, 0, 0]] * 30)])
        large.delete(["come"])
        finish(shard, process)

    monkeypatch.setattr(optimizing, "finish", meanwhile)
    large.optimize()
    assert large.nearest("passages", first, 1)[0].score < 9.0
    hits = large.nearest("passages", second, 2)
    assert [(hit.doc_id, hit.score) for hit in hits] == [("shorten many", 9.0), ("lengthen", 8.0)]
    assert large.count() == before + 2
    large._known_size = None
    assert large.count() == before + 2
    assert len(large.find(["lengthen"])[0].vectors["passages"]) == 30


def test_searches_go_on_during_an_optimisation(large, monkeypatch):
    answered = []

    def asked(shard, process):
        process.send_signal(signal.SIGSTOP)  # however long it takes
        query = np.ones(4, np.float32)
        answered.append(large.nearest("passages", query, 1)[0].doc_id)
        process.send_signal(signal.SIGCONT)
        finish(shard, process)

    finish = optimizing.finish
    monkeypatch.setattr(optimizing, "finish", asked)
    large.optimize()
    assert len(answered) == 1


def test_an_optimisation_that_fails_leaves_the_store_as_it_was(large, monkeypatch):
    finish = optimizing.finish

    def killed(shard, process):
        process.kill()
        finish(shard, process)

    monkeypatch.setattr(optimizing, "finish", killed)
    with pytest.raises(IndexFault, match=r"could not be optimised.*optimise again"):
        large.optimize()
    assert large.count() == 300
    assert [path.name for path in large.folder.glob("shard*")] == ["shard"]


def test_left_overs_of_a_killed_process_are_removed(tmp_path):
    folder = tmp_path / "store"
    made = EdgeStore.create(folder, SPACES)
    made.add([record(1)])
    made.close()
    (folder / "shard-dead").mkdir()
    opened = EdgeStore.open(folder)
    assert opened.count() == 1
    assert not (folder / "shard-dead").exists()
    opened.close()


def test_passages_that_came_before_a_crash_are_scored_after_it(tmp_path):
    first = [[0.1, 0.0, 0.0, 0.0]]
    with_more = [*first, [0.2, 0.0, 0.0, 0.0], [0.9, 0.0, 0.0, 0.0]]
    store = EdgeStore.create(tmp_path / "store", SPACES)
    store.add([of_rows("a", first)])
    store.close()
    store = EdgeStore.open(tmp_path / "store")
    store.add([of_rows("a", with_more)])
    shutil.copytree(tmp_path / "store", tmp_path / "crashed", ignore=shutil.ignore_patterns("lock"))
    store.close()
    again = EdgeStore.open(tmp_path / "crashed")
    query = np.array([1, 0, 0, 0], dtype=np.float32)
    assert again.scores("passages", query, ["a"]) == {"a": pytest.approx(0.9, abs=1e-3)}
    again.close()
