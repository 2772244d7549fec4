"""How documents come through a build: in their order, several portions encoded at a time."""

import sys
import threading

import numpy as np
import pytest

import dragoman
from dragoman.indexes.build import _records_ahead
from dragoman.indexes.spaces import Record
from dragoman.types import Document

PATIENCE = 20  # seconds, for what must not wait at all


def numbered(count):
    return [[Document(f"d{n}", "")] for n in range(count)]


class Slow:
    """A resident that encodes beside: every portion waits for the one after it."""

    def __init__(self, count):
        self.started = [threading.Event() for _ in range(count)]
        self.read = []

    def begun(self, documents, beside):
        number = len(self.read)
        self.read.append(documents[0].doc_id)
        return beside.submit(self.encode, number).result

    def encode(self, number):
        self.started[number].set()
        for following in self.started[number + 1 : number + 2]:
            assert following.wait(PATIENCE)
        return [{"vector": np.array([number])}]


def test_two_portions_are_encoded_at_a_time_and_come_in_their_order():
    portions = numbered(7)
    slow = Slow(len(portions))
    found = list(_records_ahead(portions, slow))
    names = [f"d{n}" for n in range(7)]
    assert slow.read == names
    assert [record.document.doc_id for (record,) in found] == names
    assert [int(record.vectors["vector"][0]) for (record,) in found] == list(range(7))


class Plain:
    """A resident that knows nothing of portions encoded at the same time."""

    def __init__(self):
        self.inside = threading.Lock()

    def vectors(self, documents):
        assert self.inside.acquire(blocking=False), "called from two threads at a time"
        self.inside.release()
        if documents[0].doc_id == "d3":
            raise ZeroDivisionError("d3")
        return [{} for _ in documents]


def test_an_error_comes_after_the_portions_before_it():
    found = _records_ahead(numbered(5), Plain())
    for number in range(3):
        assert next(found) == [Record(Document(f"d{number}", ""), {})]
    with pytest.raises(ZeroDivisionError, match="d3"):
        next(found)


def test_a_build_gives_back_the_interval_of_threads_whether_it_fails_or_not(tmp_path, monkeypatch):
    before = sys.getswitchinterval()
    documents = [Document("a", "one text", language="en")]
    dragoman.index(documents, tmp_path / "index", system="psq").close()
    assert sys.getswitchinterval() == before
    monkeypatch.setattr("dragoman.indexes.edge.EdgeStore.add", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        dragoman.index(documents, tmp_path / "other", system="psq")
    assert sys.getswitchinterval() == before
