"""Uploaded files -> documents, read as ``sync`` reads files: by worker processes with limits.

The id of an upload is ``uploads/NAME``. A file whose name and content are in the index already
changes nothing. One with the same name and other content is ``uploads/NAME (2)``, unless the caller
wants it replaced: two people may both have a ``report.pdf``.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from dragoman.indexes.index import Index
from dragoman.indexes.sync.comparison import IndexedFile, indexed_files
from dragoman.indexes.sync.file_documents import FileFacts, modified_of
from dragoman.indexes.sync.reading import FolderReader, Task
from dragoman.indexes.sync.records import metadata_below, record, recorded_path
from dragoman.indexes.sync.report import FileOutcome, FileStatus, SyncReport
from dragoman.service.tasks.addition import Addition
from dragoman.service.tasks.names import numbered
from dragoman.service.tasks.spool import SpooledFile, TaskSpool
from dragoman.text.readers.contents import ReaderConfig
from dragoman.text.readers.file_types import type_of
from dragoman.text.readers.languages import Census
from dragoman.text.readers.scan import Root, ScannedFile
from dragoman.types import Document

UPLOADS = "uploads"
LIMITS = ReaderConfig(
    file_bytes=1 << 30,
    expanded_bytes=1 << 30,  # of a packed file: one that unpacks to more is refused
    members=2_000,
    memory_bytes=2 << 30,
    cpu_seconds=120,
)
ERRORS = (
    *(FileStatus.PASSED_OVER, FileStatus.NO_TEXT),
    *(FileStatus.BROKEN, FileStatus.IN_PART),
)


def add_files(addition: Addition, spool: TaskSpool, limits: ReaderConfig = LIMITS) -> None:
    """Add the files of a task; what became of each that has no text is reported."""
    uploads = Uploads(addition.index, spool)
    report, names = SyncReport(), dict[Path, str]()
    tasks = [*_tasks(addition, uploads, spool, report, names)]
    unread = addition.task.total - len(tasks)
    done = unread

    def advance(steps: int = 1) -> None:
        nonlocal done
        addition.check()
        done += steps
        addition.store.progress(addition.task, done, 0)

    reader = FolderReader(Census(addition.index.languages), limits, report)
    count, doc_ids = 0, set[str]()

    def stored(batch: int) -> None:
        nonlocal count
        count += batch
        addition.store.progress(addition.task, done, count)

    def noted(documents: Iterator[Document]) -> Iterator[Document]:
        for document in documents:
            doc_ids.add(document.doc_id)
            yield document

    with reader.texts(tasks, (), advance) as texts:
        addition.store.report(addition.task, _errors(report, names))
        added = addition.add(noted(texts.documents()), stored)
    read = {task.file.doc_id for task in tasks}
    addition.delete(
        doc_id
        for name, file in uploads.known.items()
        if name in read
        for doc_id in file.doc_ids
        if doc_id not in doc_ids
    )
    addition.store.progress(addition.task, addition.task.total, added)


class Uploads:
    """The uploads that an index has, by id."""

    def __init__(self, index: Index, spool: TaskSpool) -> None:
        self.root = _root(index, spool)
        # so that a folder of this name is not synced over them
        record(index, self.root, {}, UPLOADS)
        self.known: dict[str, IndexedFile] = indexed_files(metadata_below(index, self.root.label))
        self._taken: dict[str, str] = {}  # id -> digest, of this task

    def choose(self, file: SpooledFile, *, replace: bool) -> tuple[str, bool]:
        """The id for a file, and whether the index has this very file already."""
        number = 1
        while True:
            doc_id = f"{self.root.label}/{numbered(file.name, number)}"
            taken, known = self._taken.get(doc_id), self.known.get(doc_id)
            if taken == file.digest:
                return doc_id, True
            if taken is None:
                same = known is not None and known.facts and known.facts.digest == file.digest
                if known is None or same or replace or known.facts is None:
                    self._taken[doc_id] = file.digest
                    return doc_id, bool(same and known is not None and known.complete)
            number += 1


def _root(index: Index, spool: TaskSpool) -> Root:
    """The label of uploads: ``uploads``, or another where a folder of that name is synced."""
    number = 1
    while True:
        label = UPLOADS if number == 1 else f"{UPLOADS}-{number}"
        path = recorded_path(index, label)
        if path in ("", str(spool.folder)) or not Path(path).exists():
            return Root(label, spool.folder)
        number += 1


def _tasks(
    addition: Addition,
    uploads: Uploads,
    spool: TaskSpool,
    report: SyncReport,
    names: dict[Path, str],
) -> Iterator[Task]:
    """The files that are to be read; others are reported."""
    replace = bool(addition.task.options.get("replace"))
    moment = datetime.fromisoformat(addition.task.created)
    for path, file in spool.files(addition.task.task_id):
        names[path] = file.name
        kind = type_of(path, file.name)
        if kind.is_passed_over:
            report.add(FileOutcome(path, kind, FileStatus.PASSED_OVER, kind))
            continue
        doc_id, is_same = uploads.choose(file, replace=replace)
        if is_same:
            continue
        scanned = ScannedFile(path, doc_id, file.size, int(moment.timestamp() * 1e9), kind)
        facts = FileFacts(file.size, modified_of(scanned), file.digest)
        yield Task(uploads.root, scanned, facts)


def _errors(report: SyncReport, names: Mapping[Path, str]) -> Iterator[tuple[str, str]]:
    """What is wrong with which file, by the names that the client knows."""
    for outcome in report.files:
        if outcome.status in ERRORS:
            name, inside = names.get(outcome.path), ""
            if name is None:  # a file inside a file
                path = next((one for one in outcome.path.parents if one in names), None)
                name = names[path] if path else outcome.path.name
                inside = str(outcome.path.relative_to(path)) if path else ""
            shown = f"{name}/{inside}" if inside else name
            reason = ": ".join(filter(None, (outcome.status.value, outcome.reason)))
            yield shown, reason.replace(str(outcome.path), name)
