"""What workers run, called in this process."""

import socket

import pytest

import dragoman
from dragoman import processors
from dragoman.errors import IndexFault
from dragoman.types import Document, Query
from dragoman.workers import tasks
from dragoman.workers.saved_files import SystemFiles
from dragoman.workers.tasks import WorkerError, encode_batch, rank_batch

DOCUMENTS = [Document(f"d{n}", f"tide number {n} of the sea", language="en") for n in range(5)]
QUERIES = [Query("q1", "tide of the sea", "en"), Query("q2", "number 3")]


@pytest.fixture(autouse=True)
def _a_worker_of_its_own(monkeypatch):
    monkeypatch.setattr(tasks, "_systems", {})
    monkeypatch.setattr(tasks, "_indexes", {})
    monkeypatch.setattr(processors, "_limit", [])


@pytest.fixture
def index(tmp_path):
    settings = {"translate": False}
    with dragoman.index(DOCUMENTS, tmp_path / "i", system="bm25", settings=settings) as built:
        yield built


def test_a_system_is_fetched_and_loaded_once(index):
    files, fetched = SystemFiles.of(index.system), []

    def fetch():
        fetched.append(files)
        return files

    treatments = {"en": index.system.treatment("en")}
    found = [encode_batch(files.digest, fetch, treatments, [one])[0] for one in DOCUMENTS]
    assert len(fetched) == 1
    assert repr(found) == repr(index.system.encode(DOCUMENTS))
    assert processors.cores() == 1


def test_queries_are_ranked_as_by_the_index_itself(index):
    ranked = rank_batch(str(index.folder), index.manifest.identity, QUERIES, 3, None, None)
    assert ranked == [*index.rank_all(QUERIES, 3)]


def test_another_build_and_no_index_are_named_with_the_machine(index, tmp_path):
    named = rf"worker on {socket.gethostname()}: "
    with pytest.raises(WorkerError, match=rf"{named}.*found another build"):
        rank_batch(str(index.folder), "0" * 32, QUERIES, 3, None, None)
    with pytest.raises(WorkerError, match=rf"{named}.*found no manifest.json"):
        rank_batch(str(tmp_path / "none"), index.manifest.identity, QUERIES, 3, None, None)


def test_a_model_that_is_missing_on_a_worker_is_named():
    def fetch():
        raise IndexFault("no encoder here. Get it: dragoman models get default")

    with pytest.raises(WorkerError, match=r"worker on .*: no encoder here"):
        encode_batch("0", fetch, {}, DOCUMENTS)
