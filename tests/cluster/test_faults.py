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
from dragoman.types import Query
from qdrant_nodes import Proxy
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
