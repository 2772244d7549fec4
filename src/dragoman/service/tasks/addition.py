"""Documents of a task -> the index, batch by batch, in the order of all writes."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from threading import Event

from dragoman.indexes.arguments import checked_documents
from dragoman.indexes.index import Index
from dragoman.indexes.lock import Lock
from dragoman.indexes.pipeline import Pipeline
from dragoman.indexes.spaces import Record
from dragoman.service.tasks.store import StoredTask, TaskStore
from dragoman.text.language_detection import with_languages
from dragoman.types import Document

PATIENCE = 60.0  # seconds that a batch waits for a direct write

Stored = Callable[[int], None]  # called with the number of documents of each batch


class TaskStopped(Exception):
    """The task was cancelled, or the service ends."""


class Addition:
    """Adds the documents of one task; stopped between two batches by ``stop``."""

    def __init__(
        self, index: Index, store: TaskStore, state: Path, task: StoredTask, stop: Event
    ) -> None:
        self.index, self.store, self.task = index, store, task
        self._state, self._stop = state, stop

    def check(self) -> None:
        """Raise ``TaskStopped`` where the task shall not go on."""
        if self._stop.is_set():
            raise TaskStopped

    def add(self, documents: Iterable[Document], stored: Stored) -> int:
        """Add documents; returns how many are in the index.

        Documents that were written one by one after the task was accepted are left out.
        """
        added = 0
        with self.index.snapshot():  # of the index that is in the folder now
            system, manifest = self.index.system, self.index.manifest
        stream = with_languages(checked_documents(self._until_stopped(documents)))
        with Pipeline(system, stream) as pipeline:
            for records in pipeline:
                self.check()
                with Lock(self._state, PATIENCE):
                    wanted = self._wanted(records)
                    if wanted:
                        self.index.store_records(wanted, manifest)
                    added += len(wanted)
                    stored(len(records))
        self.index.merge_in_background()
        return added

    def _until_stopped(self, documents: Iterable[Document]) -> Iterator[Document]:
        for document in documents:
            self.check()
            yield document

    def _wanted(self, records: list[Record]) -> list[Record]:
        overtaken = self.store.overtaken(self.task)
        return [one for one in records if one.document.doc_id not in overtaken]

    def delete(self, doc_ids: Iterable[str]) -> None:
        """Delete documents, unless they were written after the task was accepted."""
        with Lock(self._state, PATIENCE):
            gone = {*doc_ids} - self.store.overtaken(self.task)
            if gone:
                self.index.delete(sorted(gone))


def add_documents(addition: Addition, documents: Iterable[Document]) -> None:
    """Add the documents of a task; after a crash it goes on where it was."""
    task, done, before = addition.task, addition.task.done, addition.task.added
    count = 0

    def stored(batch: int) -> None:
        nonlocal done, count
        done += batch
        count += batch
        addition.store.progress(task, done, before + count)

    added = addition.add(islice(documents, done, None), stored)
    addition.store.progress(task, done, before + added)
