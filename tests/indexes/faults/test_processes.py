"""Several processes and one index: built anew, locked, read-only, copied, of an old format."""

import json
import os
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import dragoman
from dragoman.errors import IndexFault, UserError
from dragoman.indexes import store as store_module
from dragoman.indexes.index import Index
from dragoman.indexes.lock import Lock
from dragoman.indexes.spaces import Bag, Counts, Record
from dragoman.indexes.store import Store
from dragoman.storage.database import StorageError
from dragoman.types import Document
from made_records import SPACES, made_record, quick_folder
from observed import documents_of

NOBODY = 65534


def document(number: int, text: str = "tide") -> Document:
    return Document(f"d{number}", f"{text} number{number}", language="en")


def build(folder: Path, numbers: range, text: str = "tide") -> None:
    documents = [document(number, text) for number in numbers]
    dragoman.index(documents, folder, system="bm25", settings={"translate": False}).close()


def found(index: Index, text: str = "tide") -> set[str]:
    return {hit.doc_id for hit in index.search(text, 100, language="en", group=False).ranking.hits}


def in_child(work: Callable[[], object], user: int | None = None) -> str:
    """What a fork told of its work, done as another user if one is named."""
    child, reader = started(work, user)
    with os.fdopen(reader) as stream:
        told = stream.read()
    os.waitpid(child, 0)
    return told


def started(work: Callable[[], object], user: int | None = None) -> tuple[int, int]:
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        os.close(reader)
        try:
            if user is not None and os.getuid() == 0:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
            told = str(work())
        except BaseException as error:  # noqa: BLE001 - the parent has to know of it
            told = f"{type(error).__name__}: {error}"
        os.write(writer, told.encode())
        os._exit(0)
    os.close(writer)
    return child, reader


@pytest.fixture
def folder():
    """Where an index may be built; any user may read there."""
    with quick_folder() as place:
        place.chmod(0o755)
        yield place / "index"


def test_a_document_added_after_another_process_rebuilt_the_index_is_there(folder):
    build(folder, range(5))
    with dragoman.open(folder) as index:
        assert found(index) == {f"d{n}" for n in range(5)}
        assert in_child(lambda: build(folder, range(10, 13))) == "None"
        index.add([document(99)])
        assert found(index) == {"d10", "d11", "d12", "d99"}
    with dragoman.open(folder) as index:
        assert found(index) == {"d10", "d11", "d12", "d99"}


def test_an_index_that_is_built_anew_all_the_time_can_be_searched_and_changed(folder):
    build(folder, range(5))

    def rebuild() -> None:
        for _ in range(10):
            build(folder, range(5), "tide moon")
            time.sleep(0.1)

    child, reader = started(rebuild)
    searches = 0
    with dragoman.open(folder) as index:
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            assert found(index) >= {f"d{n}" for n in range(5)}
            index.add([document(50)])
            searches += 1
        index.add([document(51)])
        assert found(index) >= {"d0", "d51"}
    with os.fdopen(reader) as stream:
        assert stream.read() == "None"
    assert searches > 5


def test_a_document_without_a_language_gets_one(folder):
    build(folder, range(3))
    with dragoman.open(folder) as index:
        index.add([Document("new", "the tide rises twice a day because of the moon and the sun")])
        (stored,) = index.documents(["new"])
        assert stored is not None
        assert stored.language == "en"
        assert "new" in found(index)


def test_a_second_writer_waits(folder):
    build(folder, range(3))

    def hold() -> None:
        with Lock(folder / "store", 1):
            os.write(ready, b"!")
            time.sleep(0.5)

    waiting, ready = os.pipe()
    child, reader = started(hold)
    os.close(ready)
    assert os.read(waiting, 1) == b"!"
    start = time.monotonic()
    with dragoman.open(folder) as index:
        index.add([document(7)])
        assert time.monotonic() - start > 0.2
        assert "d7" in found(index)
    os.waitpid(child, 0)
    os.close(reader)
    os.close(waiting)


def test_a_second_writer_is_told_who_the_first_is(folder, monkeypatch):
    build(folder, range(3))
    monkeypatch.setattr(store_module, "PATIENCE", 0.2)

    def hold() -> None:
        with Lock(folder / "store", 1):
            os.write(ready, b"!")
            time.sleep(60)

    waiting, ready = os.pipe()
    child, reader = started(hold)
    os.close(ready)
    assert os.read(waiting, 1) == b"!"
    with dragoman.open(folder) as index:
        with pytest.raises(IndexFault, match=f"process {child} is writing"):
            index.add([document(7)])
        assert found(index) == {"d0", "d1", "d2"}  # searches do not wait
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        index.add([document(7)])  # the lock is gone with its process
        assert "d7" in found(index)
    os.close(reader)
    os.close(waiting)


def forbid_writing(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o555 if path.is_dir() else 0o444)


def allow_writing(folder: Path) -> None:
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)


def search_and_try_to_change(folder: Path) -> str:
    with dragoman.open(folder) as index:
        told = " ".join(sorted(found(index)))
        for change in (lambda: index.add([document(8)]), index.optimize):
            with pytest.raises(StorageError, match="cannot be written"):
                change()
        return told


def write_and_die(folder: Path) -> None:
    index = dragoman.open(folder)
    index.add([document(7)])
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.parametrize("leftovers", [(), ("-wal",), ("-wal", "-shm")])
def test_a_read_only_folder_can_be_searched(folder, leftovers):
    build(folder, range(3))
    database = folder / "store" / "documents.sqlite"
    if leftovers:
        in_child(lambda: write_and_die(folder))
        if "-shm" not in leftovers:
            database.with_name("documents.sqlite-shm").unlink()
        assert database.with_name("documents.sqlite-wal").stat().st_size > 0
    dragoman.open(folder).close()  # imports what a child that may read little cannot
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    forbid_writing(folder)
    try:
        told = in_child(lambda: search_and_try_to_change(folder), NOBODY)
    finally:
        allow_writing(folder)
    assert told == ("d0 d1 d2 d7" if leftovers else "d0 d1 d2")
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_a_reader_that_may_not_write_sees_what_the_owner_writes(folder):
    if os.getuid() != 0:
        pytest.skip("needs root, to become another user")
    build(folder, range(3))
    asking, ask = os.pipe()

    def read() -> str:
        told = []
        with dragoman.open(folder) as index:
            while os.read(asking, 1):
                told.append(len(found(index)))
                os.write(answer, b"!")
        return str(told)

    answered, answer = os.pipe()
    with dragoman.open(folder) as index:
        found(index)
    child, reader = started(lambda: (os.close(ask), read())[1], NOBODY)

    def search() -> None:
        os.write(ask, b"?")
        assert os.read(answered, 1) == b"!"

    search()  # nobody has it open
    with dragoman.open(folder) as index:
        index.add([document(7)])
        search()  # while the owner has it open
        index.add([document(number) for number in range(20, 400)])
        search()
    search()  # and after that
    build(folder, range(6))
    search()
    os.close(ask)
    with os.fdopen(reader) as stream:
        assert stream.read() == "[3, 4, 100, 100, 6]"
    os.waitpid(child, 0)
    for end in (asking, answered, answer):
        os.close(end)


def test_a_copy_of_a_closed_index_is_an_index(folder):
    build(folder, range(5))
    with dragoman.open(folder) as index:
        index.add([document(7)])
        index.delete(["d1"])
        before = index.search("tide", language="en").results
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy)
    with dragoman.open(copy) as index:
        assert index.search("tide", language="en").results == before
        index.add([document(8)])
        assert found(index) == {"d0", "d2", "d3", "d4", "d7", "d8"}
    with dragoman.open(folder) as index:
        assert index.search("tide", language="en").results == before


@pytest.mark.parametrize("number", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("space", ["counts", "rows", "bags"])
def test_what_is_not_finite_is_refused_and_changes_nothing(space, number):
    vectors = {
        "counts": Counts(np.array([1, 2]), np.array([1.0, number]), 2),
        "rows": np.array([[1.0, number, 0, 0, 0, 0]]),
        "bags": Bag(["a"], np.array([1]), np.array([[1.0, number, 0.0]])),
    }
    rng = np.random.default_rng(2)
    with quick_folder() as place:
        store = Store.create(place / "store", SPACES)
        store.add([made_record("a", rng)], {})
        with store.snapshot() as snapshot:
            before = documents_of(snapshot), snapshot.generation
        bad = Record(Document("bad", "text", language="en"), {space: vectors[space]})
        with pytest.raises(UserError, match=r"document 'bad', .*not.* finite"):
            store.add([made_record("a", rng), made_record("b", rng), bad], {})
        with store.snapshot() as snapshot:
            assert (documents_of(snapshot), snapshot.generation) == before
        store.close()


@pytest.mark.parametrize("number", [1, 2, 3])
def test_an_index_of_an_old_format_is_refused_with_the_remedy(tmp_path, number):
    (tmp_path / "manifest.json").write_text(json.dumps({"format": number, "system": "psq"}))
    with pytest.raises(IndexFault, match=r"dragoman export .*dragoman index documents"):
        dragoman.open(tmp_path)
