import threading

import pytest

from dragoman.cluster.building import refuse_unsupported
from dragoman.errors import DragomanError, UserError
from dragoman.types import Query
from qdrant_nodes import wait_until
from small_cluster import created


def test_a_system_that_reads_all_documents_is_refused():
    with pytest.raises(UserError, match="a cluster searches with bm25, dense, hybrid, psq"):
        refuse_unsupported("wasserstein")


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
