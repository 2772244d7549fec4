"""A document changes with all its passages, or not at all."""

import os
from types import SimpleNamespace

import numpy as np
import pytest
import qdrant_edge as qe

from dragoman.indexes import writing
from dragoman.indexes.edge import EdgeStore
from stored import SPACES, of_rows

OLD, NEW = np.array([1, 0, 0, 0], np.float32), np.array([0, 1, 0, 0], np.float32)


def points_of(store):
    return store._shard.count(qe.CountRequest(exact=True))


def best(store, query):
    return {hit.doc_id: hit.score for hit in store.nearest("passages", query, 10)}


@pytest.mark.parametrize(("before", "after"), [(5, 2), (2, 5), (3, 3), (4, 1), (3, 0), (0, 3)])
def test_a_document_that_comes_again_leaves_nothing_of_its_old_passages(store, before, after):
    store.add([of_rows("a", [[1, 0, 0, 0]] * before), of_rows("b", [[0.5, 0.5, 0, 0]] * 2)])
    store.add([of_rows("a", [[0, 1, 0, 0]] * after)])
    assert best(store, OLD) == ({"b": 0.5, "a": 0.0} if after else {"b": 0.5})
    assert best(store, NEW) == ({"a": 1.0, "b": 0.5} if after else {"b": 0.5})
    assert store.count() == 2
    assert points_of(store) == store._size().points == 2 + max(after, 1)


def test_the_last_of_several_with_one_id_counts(store):
    store.add([of_rows("a", [[1, 0, 0, 0]] * 4), of_rows("a", [[0, 1, 0, 0]] * 2)])
    assert best(store, OLD) == {"a": 0.0}
    assert points_of(store) == store._size().points == 2


def test_a_document_is_deleted_with_all_its_passages(store):
    store.add([of_rows("a", [[1, 0, 0, 0]] * 9), of_rows("b", [[0, 1, 0, 0]] * 3)])
    store.delete(["a", "nowhere"])
    assert best(store, OLD) == {"b": 0.0}
    assert points_of(store) == store._size().points == 3
    store.delete(["nowhere"])
    assert store.count() == 1


def dies_before_removing(folder):
    """A process that is gone when the new passages are logged and the old ones not yet removed."""
    store = EdgeStore.create(folder, SPACES)
    store.add([of_rows("a", [[1, 0, 0, 0]] * 5), of_rows("b", [[0.5, 0.5, 0, 0]])])
    writing.qe = SimpleNamespace(UpdateOperation=Dying, Point=qe.Point)
    store.add([of_rows("a", [[0, 1, 0, 0]] * 2)])


class Dying:
    upsert_points = qe.UpdateOperation.upsert_points

    @staticmethod
    def delete_points(points):
        os._exit(len(points))


def test_a_process_that_dies_between_leaves_no_old_passage_to_be_found(tmp_path):
    folder = tmp_path / "store"
    child = os.fork()
    if child == 0:
        dies_before_removing(folder)
        os._exit(99)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 3
    store = EdgeStore.open(folder)
    assert best(store, OLD) == {"a": 0.0, "b": 0.5}
    assert best(store, NEW) == {"a": 1.0, "b": 0.5}
    assert store.count() == 2
    assert len(list(store.records(["passages"]))) == 2
    assert points_of(store) == 6
    store.optimize()
    assert points_of(store) == 3
    assert store.count() == 2
    store.close()
