"""A small index in a cluster that a test harms, and what must be true of it afterwards."""

import threading
import time

import dragoman
from dragoman.cluster.address import parse_cluster_address
from dragoman.cluster.building import build_in_cluster
from dragoman.cluster.connection import ClusterUnavailable
from dragoman.cluster.index import ClusterIndex
from dragoman.cluster.verification import verify_cluster
from dragoman.types import Document, Query
from qdrant_nodes import Cluster

WORDS = ("tide", "moon", "bread", "yeast", "river", "stone", "wood", "glass", "iron", "salt")
SETTINGS = {"shards": 3, "read_seconds": 6, "lease_seconds": 2.0}


def document(number: int, version: int = 0) -> Document:
    """A document that only a search for its number finds first."""
    words = [WORDS[(number * (place + 1) + version) % len(WORDS)] for place in range(5)]
    text = f"{' '.join(words)} number{number} version{version}"
    return Document(f"d{number:04d}", text, "", "en", {"version": version})


def created(cluster: Cluster, name: str, count: int = 0) -> ClusterIndex:
    """An index of the first ``count`` documents."""
    address = parse_cluster_address(cluster.address(name, **SETTINGS))
    return build_in_cluster(
        map(document, range(count)),
        address,
        system="bm25",
        version=dragoman.__version__,
        settings={"translate": False},
    )


def assert_whole(cluster: Cluster, index: ClusterIndex, versions: dict[str, int]) -> None:
    """Exactly the acknowledged documents are there, on all replicas, and the statistics agree."""
    cluster.wait_until_whole()
    stored = {one.doc_id: one for one in index.documents(index.doc_ids())}
    assert stored.keys() == versions.keys()
    assert {i: one.metadata["version"] for i, one in stored.items()} == versions
    report = verify_cluster(index.address)
    assert report.damage == ()
    assert report.documents == len(versions)
    assert index.probe() == ""


class Observer:
    """Searches without a pause for document 7; notes wrong hits and the longest wait."""

    def __init__(self, index: ClusterIndex) -> None:
        self._index, self._wrong = index, list[str]()
        self._answered = self._failed = 0
        self._longest = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._search)

    def __enter__(self) -> "Observer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._thread.join()

    def __str__(self) -> str:
        return (
            f"searches answered {self._answered}, failed {self._failed},"
            f" the longest took {self._longest:.1f} s"
        )

    def _search(self) -> None:
        while not self._ended.is_set():
            began = time.monotonic()
            try:
                hits = self._index.rank(Query("q", "tide number7", "en"), 5).hits
                self._answered += 1
                if hits[0].doc_id != "d0007":
                    self._wrong.append(f"found {hits}")
            except ClusterUnavailable:  # an error is an answer, if it comes in time
                self._failed += 1
            self._longest = max(self._longest, time.monotonic() - began)

    def assert_true_and_in_time(self) -> None:
        """No wrong hit, and no search that took longer than the setting allows."""
        assert self._wrong == []
        assert self._answered > 0
        assert self._longest < 3 * SETTINGS["read_seconds"], str(self)
