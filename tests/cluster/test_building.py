import threading

import pytest

import dragoman
from dragoman.cluster.address import parse_cluster_address
from dragoman.cluster.building import build_in_cluster, refuse_unsupported
from dragoman.cluster.connection import ClusterUnavailable
from dragoman.errors import ConfigError, DragomanError, UserError
from dragoman.types import Query
from qdrant_nodes import wait_until
from small_cluster import created


def test_a_system_that_reads_all_documents_is_refused():
    with pytest.raises(UserError, match="a cluster searches with bm25, dense, hybrid, psq"):
        refuse_unsupported("wasserstein")


def unread():
    """Documents that nobody may read."""
    raise AssertionError
    yield


def test_a_cluster_that_does_not_answer_is_an_error_before_documents_are_read():
    address = parse_cluster_address("qdrant://127.0.0.1:1/news?read_seconds=1")
    with pytest.raises(ClusterUnavailable, match="no node answered within 1 seconds"):
        build_in_cluster(unread(), address, system="bm25", version=dragoman.__version__)


def test_more_copies_than_nodes_are_refused_before_documents_are_read(cluster):
    address = parse_cluster_address(cluster.address("copies", replication=4))
    with pytest.raises(ConfigError, match="replication must be at most 3, the number of nodes"):
        build_in_cluster(unread(), address, system="bm25", version=dragoman.__version__)


def test_a_rebuild_shows_the_old_or_the_new_index_and_nothing_between(cluster):
    with created(cluster, "bluegreen", 20) as index:
        counts, stopped, errors = set[int](), threading.Event(), list[Exception]()

        def look() -> None:
            while not stopped.is_set():
                try:
                    hits = index.rank(Query("q", "tide moon bread yeast river", "en"), 100).hits
                except DragomanError as error:
                    errors.append(error)
                else:
                    counts.add(len(hits))

        looking = threading.Thread(target=look)
        looking.start()
        created(cluster, "bluegreen", 40).close()
        wait_until(lambda: index.count() == 40, "the new index")
        wait_until(lambda: len(counts) == 2 or errors, "searches of the new index")
        stopped.set()
        looking.join()
        assert errors == []
        assert counts == {18, 36}  # one of ten documents has none of the words
