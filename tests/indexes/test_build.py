"""How documents come through a build: in their order, several portions encoded at a time."""

import json
import sys
import threading

import numpy as np
import pytest

import dragoman
from dragoman.indexes.pipeline import AHEAD, Pipeline
from dragoman.indexes.spaces import Record
from dragoman.types import Document

PATIENCE = 20  # seconds, for what must not wait at all


def numbered(count):
    return [Document(f"d{n}", "") for n in range(count)]


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
    slow = Slow(30)
    with Pipeline(slow, numbered(30), size=1) as pipeline:
        found = list(pipeline)
    names = [f"d{n}" for n in range(30)]
    assert slow.read == names
    assert [record.document.doc_id for (record,) in found] == names
    assert [int(record.vectors["vector"][0]) for (record,) in found] == list(range(30))


def test_the_first_portions_are_encoded_while_nobody_asks_for_them():
    slow = Slow(30)
    with Pipeline(slow, numbered(30), size=1) as pipeline:
        assert slow.started[AHEAD - 1].wait(PATIENCE)  # during a survey, say
        assert not slow.started[AHEAD].is_set()
        slow.started[AHEAD].set()  # which the one before waits for
        assert len(list(pipeline)) == 30


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
    with Pipeline(Plain(), numbered(5), size=1) as pipeline:
        found = iter(pipeline)
        for number in range(3):
            assert next(found) == [Record(Document(f"d{number}", ""), {})]
        with pytest.raises(ZeroDivisionError, match="d3"):
            next(found)


def test_a_system_that_reads_all_documents_first_encodes_none_before():
    documents = iter(numbered(3))
    with Pipeline(Plain(), documents, size=1) as pipeline:
        assert next(documents).doc_id == "d0"
        assert len(list(pipeline)) == 2


def test_a_build_that_had_stored_all_documents_still_surveys_them(tmp_path, monkeypatch):
    documents = [Document(str(n), "word " * (n + 1), language="en") for n in range(5)]
    with monkeypatch.context() as patched:
        patched.setattr("dragoman.systems.lexical.resident.ResidentPsq.save", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            dragoman.index(documents, tmp_path / "index", system="psq")
    with dragoman.index(documents, tmp_path / "index", system="psq") as index:
        facts = json.loads((index.folder / "counts" / "facts.json").read_text())
    assert facts["mean_lengths"] == {"en": 3.0}


def test_a_build_gives_back_the_interval_of_threads_whether_it_fails_or_not(tmp_path, monkeypatch):
    before = sys.getswitchinterval()
    documents = [Document("a", "one text", language="en")]
    dragoman.index(documents, tmp_path / "index", system="psq").close()
    assert sys.getswitchinterval() == before
    monkeypatch.setattr("dragoman.indexes.edge.EdgeStore.add", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        dragoman.index(documents, tmp_path / "other", system="psq")
    assert sys.getswitchinterval() == before
