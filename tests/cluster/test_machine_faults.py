"""A full disk and a network in two parts, which change the mounts and links of this machine.

They run as root where DRAGOMAN_MACHINE_FAULTS is set: make test-cluster-faults
"""

import logging
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from dragoman.cluster.connection import ClusterUnavailable
from dragoman.cluster.index import ClusterIndex
from qdrant_nodes import Cluster, Node, running_cluster, three_nodes, wait_until
from small_cluster import Observer, assert_whole, created, document

FIRST, BATCHES, EACH = 30, 12, 25
NETWORK = "10.197.23"
LOG = logging.getLogger(__name__)

pytestmark = pytest.mark.skipif(
    not os.environ.get("DRAGOMAN_MACHINE_FAULTS") or os.geteuid() != 0,
    reason="mounts a file system and makes networks: as root, make test-cluster-faults",
)


def command(*words: object) -> None:
    subprocess.run([*map(str, words)], check=True, capture_output=True)


def add_batches(index: ClusterIndex) -> tuple[dict[str, int], dict[str, int]]:
    """The versions of documents that were acknowledged, and of those that were refused."""
    acknowledged, refused = {}, {}
    for start in range(100, 100 + BATCHES * EACH, EACH):
        batch = [document(n, 1) for n in range(start, start + EACH)]
        versions = {one.doc_id: 1 for one in batch}
        try:
            index.add(batch)
        except ClusterUnavailable as error:
            LOG.info("refused: %s", error)
            refused |= versions
        else:
            acknowledged |= versions
    LOG.info("documents acknowledged %d, refused %d", len(acknowledged), len(refused))
    return acknowledged, refused


def assert_kept(
    cluster: Cluster, index: ClusterIndex, acknowledged: dict[str, int], refused: dict[str, int]
) -> None:
    """All acknowledged documents are there, and others only of a batch that was journalled."""
    versions = {f"d{n:04d}": 0 for n in range(FIRST)} | acknowledged
    finished = {doc_id: refused[doc_id] for doc_id in {*index.doc_ids()} & refused.keys()}
    assert_whole(cluster, index, versions | finished)


@contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[None]:
    """A file system in memory; it ends with the block."""
    folder.mkdir(parents=True)
    command("mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", folder)
    try:
        yield
    finally:
        command("umount", "--lazy", folder)


def test_a_full_disk_of_one_node(tmp_path):
    place = tmp_path / "nodes" / "3"
    with small_disk(place, 2048), running_cluster(three_nodes(tmp_path / "nodes")) as cluster:
        node = cluster.nodes[2]
        with created(cluster, "full-disk", FIRST) as index:
            free = shutil.disk_usage(place).free
            with (place / "filler").open("wb") as filler:
                filler.write(bytes(free - (1 << 20)))  # one megabyte is left
            with Observer(index) as observer:
                added, refused = add_batches(index)
            refusals = [line for line in node.log().splitlines() if "space" in line]
            LOG.info("%s; the node refused %d times: %s", observer, len(refusals), refusals[:1])
            assert refusals
            assert added
            observer.assert_true_and_in_time()
            (place / "filler").unlink()
            node.kill()
            node.start()
            assert_kept(cluster, index, added, refused)


@contextmanager
def separate_networks(folder: Path) -> Iterator[Cluster]:
    """Three nodes, each in a network namespace, joined by a bridge on which the client is, too."""
    names = [f"dragoman{n}" for n in (1, 2, 3)]
    command("ip", "link", "add", "dragoman0", "type", "bridge")
    command("ip", "addr", "add", f"{NETWORK}.254/24", "dev", "dragoman0")
    command("ip", "link", "set", "dragoman0", "up")
    nodes: list[Node] = []
    try:
        for number, name in enumerate(names, 1):
            inside = ("ip", "netns", "exec", name, "ip")
            command("ip", "netns", "add", name)
            command("ip", "link", "add", name, "type", "veth", "peer", "eth0", "netns", name)
            command("ip", "link", "set", name, "master", "dragoman0", "up")
            command(*inside, "addr", "add", f"{NETWORK}.{number}/24", "dev", "eth0")
            command(*inside, "link", "set", "lo", "up")
            command(*inside, "link", "set", "eth0", "up")
            first = nodes[0] if nodes else None
            interface = f"{NETWORK}.{number}"
            nodes.append(Node(folder / name, first, interface=interface, namespace=name))
        with running_cluster(nodes) as cluster:
            yield cluster
    finally:
        for name in names:  # a namespace alone would keep its link for a while
            for place in ("link", "netns"):
                subprocess.run(["ip", place, "del", name], check=False, capture_output=True)
        command("ip", "link", "del", "dragoman0")


def cut(names: tuple[int, int], *, heal: bool = False) -> None:
    """Lose all packets between two nodes, in both directions; the client reaches both.

    They are sent to a hardware address that nothing has, so that connections end by time alone.
    """
    for here, there in (names, names[::-1]):
        inside = ("ip", "netns", "exec", f"dragoman{here}", "ip", "neigh")
        target = (f"{NETWORK}.{there}", "dev", "eth0")
        if heal:
            command(*inside, "del", *target)
        else:
            command(*inside, "replace", *target, "lladdr", "02:00:00:00:00:01", "nud", "permanent")


@pytest.mark.parametrize("client_with", ["the majority", "the single node"])
def test_a_node_cut_off_from_the_others(tmp_path, client_with):
    with (
        separate_networks(tmp_path) as cluster,
        created(cluster, "partition", FIRST) as index,
    ):
        nodes = index.address.nodes
        asked_first = nodes[::-1] if client_with == "the single node" else nodes
        for other in (1, 2):
            cut((3, other))
        with (
            ClusterIndex(replace(index.address, nodes=asked_first)) as mine,
            Observer(mine) as observer,
        ):
            added, refused = add_batches(mine)
        assert added
        LOG.info("%s", observer)
        observer.assert_true_and_in_time()
        for other in (1, 2):
            cut((3, other), heal=True)
        wait_until(lambda: index.probe() == "", "a cluster that is whole")
        assert_kept(cluster, index, added, refused)
