"""Nodes that are killed, stopped, slow or cut off: nothing acknowledged is lost or doubled."""

import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace

import pytest

from dragoman.cluster.connection import ClusterUnavailable
from dragoman.cluster.index import ClusterIndex
from dragoman.cluster.repair import repair_cluster
from dragoman.cluster.state import LostLease
from dragoman.cluster.verification import recomputed, verify_cluster
from dragoman.indexes.lock import IndexBusy
from dragoman.types import Query
from qdrant_nodes import Proxy, wait_until
from small_cluster import SETTINGS, Observer, assert_whole, created, document


@pytest.mark.parametrize("fault", [signal.SIGKILL, signal.SIGSTOP])
def test_nodes_fail_in_turn_while_documents_are_added_and_searched(cluster, fault):
    with created(cluster, f"fails-{fault.name.lower()}", 30) as index:
        versions = {f"d{n:04d}": 0 for n in range(30)}
        failing_nodes = cluster.nodes[: 1 if fault is signal.SIGSTOP else None]  # a minute each
        with Observer(index) as observer:
            for version, node in enumerate(failing_nodes, 1):
                batch = [document(n, version) for n in range(10 * version, 10 * version + 15)]
                failing = threading.Timer(0.05, lambda node=node: node.send(fault))
                failing.start()
                for start in range(0, len(batch), 5):
                    index.add(batch[start : start + 5])
                    versions |= {one.doc_id: version for one in batch[start : start + 5]}
                failing.join()
                if fault is signal.SIGKILL:
                    node.process.wait()
                    node.start()
                else:
                    node.send(signal.SIGCONT)
                cluster.wait_until_whole()
        observer.assert_true_and_in_time()
        assert_whole(cluster, index, versions)


WRITER = """
import sys
import dragoman
from small_cluster import document
index = dragoman.open(sys.argv[1])
for start in range(0, 2000, 5):
    index.add([document(n, 1) for n in range(start, start + 5)])
    print(start + 5, flush=True)
"""


def test_a_killed_writer_loses_nothing_acknowledged_and_the_next_one_finishes_its_batch(cluster):
    with created(cluster, "killed-writer", 1) as index:
        address = cluster.address("killed-writer", **SETTINGS)
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, address],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": "tests/support"},
        )
        acknowledged = [int(writer.stdout.readline()) for _ in range(4)][-1]
        writer.kill()
        acknowledged = max([acknowledged, *map(int, writer.stdout.read().split())])
        writer.wait()
        writer.stdout.close()
        index.add([document(5000)])  # waits for the lease of the killed one, finishes its batch
        assert index.count() in (acknowledged + 1, acknowledged + 6)
        stored = dict.fromkeys(index.doc_ids(), 1) | {"d5000": 0}
        assert {f"d{n:04d}" for n in range(acknowledged)} <= stored.keys()
        assert_whole(cluster, index, stored)


def test_a_journalled_batch_is_finished_by_the_next_writer(cluster, monkeypatch):
    with created(cluster, "journal", 10) as index, ClusterIndex(index.address) as other:
        store = index.cluster_store
        monkeypatch.setattr(store, "write_points", _no_more)
        monkeypatch.setattr(store, "_release", lambda: None)
        with pytest.raises(MemoryError, match="no more"):
            index.add([document(3, 1), document(77, 1)])
        assert {one.metadata["version"] for one in index.documents(["d0003"])} == {0}
        other.add([document(78)])
        versions = {f"d{n:04d}": 0 for n in range(10)} | {"d0003": 1, "d0077": 1, "d0078": 0}
        assert_whole(cluster, other, versions)


def _no_more(*_: object) -> None:
    raise MemoryError("no more")


def test_a_writer_that_was_overtaken_changes_nothing(cluster):
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


def test_a_slow_and_a_cut_connection(cluster):
    with created(cluster, "connections", 20) as index:
        proxy = Proxy(cluster.nodes[0].http)
        nodes = (f"http://{proxy.host}", *index.address.nodes[1:])
        with ClusterIndex(replace(index.address, nodes=nodes)) as through:
            query = Query("q", "bread number3", "en")
            expected = index.rank(query, 5)
            proxy.delay = 0.2
            assert through.rank(query, 5) == expected
            proxy.cut()
            assert through.rank(query, 5) == expected
            through.add([document(20)])
            assert index.count() == 21
        with pytest.raises(ClusterUnavailable, match="no node answered within 6 seconds"):
            ClusterIndex(replace(index.address, nodes=nodes[:1]))
        proxy.close()


def test_the_probe_and_verify_find_replicas_that_differ(cluster):
    with created(cluster, "differ", 10) as index:
        assert index.probe() == ""
        store = index.cluster_store
        extra = [replace(one, document=document(99)) for one in store.stored(["d0001"])]
        store.write_points(extra, store.statistics(store.state.head()).facts, 99)
        assert "found 11 documents; expected 10" in index.probe()
        report = verify_cluster(index.address)
        assert [one.component for one in report.damage] == ["counters"]
        repaired, report = repair_cluster(index.address)
        assert report.damage == ()
        assert repaired == ("the statistics were computed from the documents",)
        assert index.probe() == ""
        assert recomputed(store).counts == {"en": 11}


def test_a_rebuild_shows_the_old_or_the_new_index_and_nothing_between(cluster):
    with created(cluster, "bluegreen", 20) as index:
        counts, stopped = set[int](), threading.Event()

        def look() -> None:
            while not stopped.is_set():
                hits = index.rank(Query("q", "tide moon bread yeast river", "en"), 100).hits
                counts.add((index.count(), len(hits)))

        looking = threading.Thread(target=look)
        looking.start()
        created(cluster, "bluegreen", 40).close()
        wait_until(lambda: index.count() == 40, "the new index")
        stopped.set()
        looking.join()
        assert {count for count, _ in counts} <= {20, 40}
