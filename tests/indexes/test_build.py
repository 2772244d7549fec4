"""How documents come through a build: in their order, several batches encoded at a time."""

import json
import os
import sys
import threading

import numpy as np
import pytest

import dragoman
from dragoman import registry
from dragoman.errors import IndexFault, InputError
from dragoman.indexes import build
from dragoman.indexes.pipeline import AHEAD, BATCH, Pipeline
from dragoman.indexes.spaces import Record
from dragoman.indexes.store import Store
from dragoman.systems.lexical.bm25 import Bm25
from dragoman.types import Document

PATIENCE = 20  # seconds, for what must not wait at all
WORDS = {"system": "bm25", "settings": {"translate": False}}


def numbered(count):
    return [Document(f"d{n}", f"word{n} tide", language="en") for n in range(count)]


class Slow:
    """A system that encodes ahead: every batch waits for the one after it."""

    def __init__(self, count):
        self.started = [threading.Event() for _ in range(count)]
        self.begun = []

    def begin(self, documents, executor):
        number = len(self.begun)
        self.begun.append(documents[0].doc_id)
        return executor.submit(self.encode_batch, number).result

    def encode_batch(self, number):
        self.started[number].set()
        for following in self.started[number + 1 : number + 2]:
            assert following.wait(PATIENCE)
        return [{"vector": np.array([number])}]


def test_two_batches_are_encoded_at_a_time_and_come_in_their_order():
    slow = Slow(30)
    with Pipeline(slow, numbered(30), size=1) as pipeline:
        batches = list(pipeline)
    names = [f"d{n}" for n in range(30)]
    assert slow.begun == names
    assert [record.document.doc_id for (record,) in batches] == names
    assert [int(record.vectors["vector"][0]) for (record,) in batches] == list(range(30))


def test_no_more_batches_are_begun_than_may_wait():
    slow = Slow(30)
    with Pipeline(slow, numbered(30), size=1) as pipeline:
        batches = iter(pipeline)
        next(batches)
        assert len(slow.begun) == AHEAD + 1
        for started in slow.started:  # of batches that nobody begins any more
            started.set()


class Plain:
    """A system that encodes one batch at a time."""

    def __init__(self):
        self.inside = threading.Lock()

    def encode(self, documents):
        assert self.inside.acquire(blocking=False), "called from two threads at a time"
        self.inside.release()
        if documents[0].doc_id == "d3":
            raise ZeroDivisionError("d3")
        return [{} for _ in documents]


def test_an_error_comes_after_the_batches_before_it():
    documents = numbered(5)
    with Pipeline(Plain(), documents, size=1) as pipeline:
        batches = iter(pipeline)
        for number in range(3):
            assert next(batches) == [Record(documents[number], {})]
        with pytest.raises(ZeroDivisionError, match="d3"):
            next(batches)


def test_building_again_replaces_and_a_failed_build_does_not(tmp_path):
    dragoman.index(numbered(3), tmp_path / "index", **WORDS).close()
    with pytest.raises(InputError, match="document 2: found the id 'a' a second time"):
        dragoman.index([Document("a", "x", language="en")] * 2, tmp_path / "index", **WORDS)
    with pytest.raises(InputError, match="no document at all"):
        dragoman.index([], tmp_path / "index", **WORDS)
    with dragoman.open(tmp_path / "index") as old:
        assert old.count() == 3
    with dragoman.index(numbered(1), tmp_path / "index", **WORDS) as new:
        assert new.count() == 1
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


class Counting(Bm25):
    """Counts what it is given; ``limit`` documents may be encoded before it is killed."""

    encoded, collected, limit = [], [], 10_000

    def encode(self, documents):
        if len(self.encoded) >= self.limit:
            raise KeyboardInterrupt
        self.encoded.extend(document.doc_id for document in documents)
        return super().encode(documents)

    def collect(self, documents, advance):
        assert not self.encoded
        self.collected.extend(document.doc_id for document in documents)


@pytest.fixture
def counting(monkeypatch):
    monkeypatch.setattr(Counting, "name", "counting")
    for name in ("encoded", "collected"):
        monkeypatch.setattr(Counting, name, [])
    known = {**registry.SYSTEMS, "counting": f"{__name__}:Counting"}
    monkeypatch.setattr(registry, "SYSTEMS", known)
    return Counting


def test_a_build_goes_on_where_it_was_killed(tmp_path, monkeypatch, counting):
    monkeypatch.setattr(build, "SEGMENT", 1)
    documents = numbered(2 * BATCH + 88)
    with monkeypatch.context() as killed:
        killed.setattr(counting, "limit", BATCH)
        with pytest.raises(KeyboardInterrupt):
            dragoman.index(documents, tmp_path / "index", system="counting")
    assert not (tmp_path / "index").exists()
    counting.encoded.clear()
    counting.collected.clear()
    with dragoman.index(documents, tmp_path / "index", system="counting") as index:
        assert index.count() == len(documents)
        assert [hit.doc_id for hit in index.search("word5", language="en").ranking.hits] == ["d5"]
    assert len(counting.encoded) == len(documents) - BATCH
    assert len(counting.collected) == len(documents)  # statistics are of all of them


def test_a_killed_build_of_other_documents_is_thrown_away(tmp_path, monkeypatch, counting):
    monkeypatch.setattr(build, "SEGMENT", 1)
    with monkeypatch.context() as killed:
        killed.setattr(counting, "limit", BATCH)
        with pytest.raises(KeyboardInterrupt):
            dragoman.index(numbered(2 * BATCH), tmp_path / "index", system="counting")
    counting.encoded.clear()
    with dragoman.index(numbered(3), tmp_path / "index", system="counting") as index:
        assert index.doc_ids() == ["d0", "d1", "d2"]
    assert len(counting.encoded) == 3


def test_statistics_are_collected_from_all_documents_before_the_first_is_encoded(
    tmp_path, counting
):
    dragoman.index(numbered(5), tmp_path / "index", system="counting").close()
    assert counting.collected == counting.encoded == [f"d{n}" for n in range(5)]


def test_a_build_tells_of_its_stages_and_ends_with_one_segment(tmp_path, monkeypatch):
    monkeypatch.setattr(build, "SEGMENT", 1)
    progress = {}

    def stage(name, total):
        progress[name] = [total, 0]

        def advance(count=1):
            progress[name][1] += count

        return advance

    count = 2 * BATCH + 1
    index = build.build(numbered(count), tmp_path / "index", version="1", stage=stage, **WORDS)
    with index, index.snapshot() as snapshot:
        assert [len(reader.segment) for reader in snapshot.readers] == [count]
    stages = {"indexing passages": [count] * 2, "merging": [count] * 2}
    assert progress == {"reading": [None, count], **stages}


def test_a_second_build_of_the_same_folder_is_refused_while_the_first_runs(tmp_path):
    def documents():
        with pytest.raises(IndexFault, match=rf"process {os.getpid()} is writing to it"):
            dragoman.index(numbered(1), tmp_path / "index", **WORDS)
        yield from numbered(2)

    with dragoman.index(documents(), tmp_path / "index", **WORDS) as index:
        assert index.count() == 2


def test_documents_are_added_only_when_all_of_them_could_be_read(tmp_path):
    folder = tmp_path / "index"
    dragoman.index(numbered(2), folder, **WORDS).close()

    def broken():
        yield Document("new", "tide", language="en")
        raise InputError("documents", 2, found="a bad line", expected="a good one")

    with pytest.raises(InputError, match="a bad line"):
        build.extend(broken(), dragoman.open(folder))
    with dragoman.open(folder) as index:
        assert index.doc_ids() == ["d0", "d1"]
    added = [Document("d1", "ebb", language="en"), *numbered(4)[2:]]
    with build.extend(added, dragoman.open(folder)) as index:
        assert index.doc_ids() == ["d0", "d1", "d2", "d3"]
        assert index.documents(["d1"])[0].text == "ebb"


def test_a_build_gives_back_the_interval_of_threads_whether_it_fails_or_not(tmp_path, monkeypatch):
    before = sys.getswitchinterval()
    dragoman.index(numbered(1), tmp_path / "index", **WORDS).close()
    assert sys.getswitchinterval() == before
    monkeypatch.setattr(Store, "add", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        dragoman.index(numbered(1), tmp_path / "other", **WORDS)
    assert sys.getswitchinterval() == before


def test_the_manifest_of_a_build_says_what_made_it(tmp_path):
    dragoman.index(numbered(1), tmp_path / "index", **WORDS).close()
    facts = json.loads((tmp_path / "index" / "manifest.json").read_text(encoding="utf-8"))
    assert facts["dragoman"] == dragoman.__version__
    assert (facts["system"], facts["settings"]["translate"]) == ("bm25", False)
