"""The lease of the writer: one at a time, and the one before changes nothing any more."""

import threading
from dataclasses import replace

import numpy as np
import pytest
from qdrant_client import models

from dragoman.cluster.index import ClusterIndex
from dragoman.cluster.state import Files, LostLease, _chunk
from dragoman.errors import IndexFault
from dragoman.indexes.lock import IndexBusy
from small_cluster import assert_whole, created, document


def test_files_come_back_as_they_were():
    files = Files({"manifest.json": b"{}", "system/a": bytes(range(256))})
    assert Files.from_bytes(files.to_bytes()) == files


def test_bytes_of_several_chunks_come_back_and_damage_is_noticed(cluster, monkeypatch):
    with created(cluster, "blobs", 1) as index:
        state = index.cluster_store.state
        monkeypatch.setattr("dragoman.cluster.state.CHUNK", 1000)
        data = np.random.default_rng(0).bytes(2500)
        state.write_blob("large", data, 1)
        assert state.read_blob("large") == data
        assert state.read_blob("nothing") is None
        first, other = (state._retrieve(_chunk(name, 0)) for name in ("large", "files"))
        damaged = models.PointStruct(
            id=_chunk("large", 0), vector={}, payload={**first, "sha256": other["sha256"]}
        )
        state._upsert(damaged)
        with pytest.raises(IndexFault, match="found other bytes under 'large'"):
            state.read_blob("large")


def test_a_writer_that_was_overtaken_changes_nothing(cluster, monkeypatch):
    monkeypatch.setattr("dragoman.cluster.state.PATIENCE", 2.0)
    with created(cluster, "fenced", 5) as index, ClusterIndex(index.address) as other:
        slow, fast = index.cluster_store, other.cluster_store
        before = slow.state.acquire()
        with pytest.raises(IndexBusy, match="is writing to it"):
            _beat_while(slow.state, before, lambda: other.add([document(9)]))
        taken = fast.state.acquire()  # after lease_seconds without a sign of life
        assert taken.fence > before.fence
        with pytest.raises(LostLease, match="has taken over"):
            slow.state.swap_head(before, replace(before, batch=before.batch + 1))
        fast.state.swap_head(taken, replace(taken, owner=""))
        stale = [replace(one, version=99) for one in slow.stored(["d0001"])]
        fast.rewrite(fast.stored(["d0001"]))
        slow.write_points(stale, slow.statistics(slow.state.head()).facts, before.fence)
        assert fast.stored(["d0001"])[0].version == 0
        assert_whole(cluster, other, {f"d{n:04d}": 0 for n in range(5)})


def _beat_while(state, head, work) -> None:
    """Keep a lease alive while ``work`` runs."""
    ended = threading.Event()

    def beat() -> None:
        current = head
        while not ended.wait(0.2):
            current = state.swap_head(current, current)

    beating = threading.Thread(target=beat)
    beating.start()
    try:
        work()
    finally:
        ended.set()
        beating.join()
