"""A small index with a writer, tasks made by hand, and waiting for them."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dragoman.indexes.index import Index
from dragoman.service.tasks.store import StoredTask, TaskKind, new_task_id
from dragoman.service.tasks.writer import Writer
from dragoman.types import Document
from small_index import small_index

SECONDS = 60.0  # that a task may take on a busy machine


@contextmanager
def small_writer(folder: Path) -> Iterator[Writer]:
    """The writer of an index with four documents; an existing one is opened again."""
    if not (folder / "index").exists():
        small_index(folder / "index")
    with Index(folder / "index") as index:
        writer = Writer(index, folder / "state")
        try:
            yield writer
        finally:
            writer.close()


def accept_documents(writer: Writer, documents: Iterable[Document]) -> StoredTask:
    """A task that adds documents, accepted and not yet looked at."""
    task_id = new_task_id()
    with writer.spool.begin(task_id) as data:
        count = data.write_documents(documents)
        data.finish()
    return writer.store.accept(task_id, TaskKind.DOCUMENTS, count, {})


def accept_files(writer: Writer, files: Iterable[tuple[str, bytes]], **options: bool) -> StoredTask:
    """A task that adds files, accepted and not yet looked at."""
    task_id = new_task_id()
    with writer.spool.begin(task_id) as data:
        for name, content in files:
            data.open_file(name)
            data.write(content)
            data.close_file()
        data.finish()
        return writer.store.accept(task_id, TaskKind.FILES, data.count, options)


def ended(writer: Writer, task: StoredTask) -> StoredTask:
    """The task when it has ended."""
    writer.wake()
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        now = writer.store.get(task.task_id)
        assert now is not None
        if now.state.is_final:
            return now
        time.sleep(0.05)
    raise AssertionError(f"the task has not ended: {now}")


def numbered_documents(count: int) -> list[Document]:
    """Documents d0, d1 ... in English."""
    return [Document(f"d{n}", f"The document number {n}.", "", "en") for n in range(count)]
