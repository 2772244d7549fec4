"""``sync``: an index is brought in step with folders; only what changed is read and encoded."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.errors import UserError
from dragoman.indexes.build import build
from dragoman.indexes.index import Index
from dragoman.indexes.manifest import MANIFEST
from dragoman.indexes.sync.comparison import (
    FileComparison,
    IndexedFile,
    compare,
    indexed_files,
    missing_share,
)
from dragoman.indexes.sync.file_documents import INSIDE
from dragoman.indexes.sync.reading import FolderReader, Task, tasks_of
from dragoman.indexes.sync.records import metadata_below, record_root, recorded_path
from dragoman.indexes.sync.report import FileOutcome, FileStatus, SyncReport
from dragoman.protocols import Stage, no_stages
from dragoman.text.readers.contents import ReaderConfig
from dragoman.text.readers.languages import Census
from dragoman.text.readers.scan import Root, ScannedFile, scan
from dragoman.types import Document

LARGEST_LOSS = 1 / 5  # of the indexed files of a root, beyond which nothing is deleted unasked


@dataclass(frozen=True)
class SyncOptions:
    """How folders are brought into an index."""

    allow_deletes: bool = False
    strict: bool = False  # the first file that cannot be read is an error
    languages: tuple[str, ...] = ()  # that texts may be in; none: any
    create: Callable[..., Index] = build  # how a new index is made of documents
    reading: ReaderConfig = field(default_factory=ReaderConfig)


@dataclass(slots=True)
class _RootState:
    root: Root
    files: list[ScannedFile]
    known: dict[str, IndexedFile] = field(default_factory=dict)
    changes: FileComparison = field(default_factory=FileComparison)


def sync(
    roots: Sequence[Root], folder: Path, options: SyncOptions, stage: Stage = no_stages
) -> SyncReport:
    """Bring the index in ``folder`` in step with some folders; a new one is built if none is there.

    Only documents of these roots are touched.
    """
    report = SyncReport()
    _refuse_same_labels(roots)
    states = [_scanned(root, report) for root in roots]
    if not (folder / MANIFEST).is_file():
        return _built(states, folder, options, stage, report)
    with Index(folder) as index:
        return _updated(states, index, options, stage, report)


def _refuse_same_labels(roots: Sequence[Root]) -> None:
    by_label: dict[str, Path] = {}
    for root in roots:
        if (other := by_label.setdefault(root.label, root.path)) != root.path:
            raise UserError(
                f"{other} and {root.path} would both be called {root.label!r}."
                " Sync them one by one and give one another name: --label NAME"
            )


def _scanned(root: Root, report: SyncReport) -> _RootState:
    files = [*scan(root)]
    for file in files:
        if not file.is_readable:
            kind = file.file_type.value if file.file_type else "unreadable"
            status = FileStatus.PASSED_OVER
            report.add(FileOutcome(file.path, kind, status, file.reason, file.size))
    return _RootState(root, [file for file in files if file.is_readable])


def _built(
    states: Sequence[_RootState],
    folder: Path,
    options: SyncOptions,
    stage: Stage,
    report: SyncReport,
) -> SyncReport:
    for state in states:
        state.changes = compare(state.files, {})
    tasks = _tasks(states)
    census = Census({}, options.languages)
    reader = FolderReader(census, options.reading, report)
    with reader.documents(tasks, stage("reading", len(tasks))) as documents:
        _refuse_broken(report, options)
        with options.create(documents, folder, stage=stage) as index:
            report.added = index.count()
            for state in states:
                record_root(index, state.root)
    return report


def _updated(
    states: Sequence[_RootState],
    index: Index,
    options: SyncOptions,
    stage: Stage,
    report: SyncReport,
) -> SyncReport:
    for state in states:
        _refuse_other_root(index, state.root)
        state.known = indexed_files(metadata_below(index, state.root.label))
        state.changes = compare(state.files, state.known)
        for file in state.changes.unchanged:
            report.add(FileOutcome(file.path, str(file.file_type), FileStatus.UNCHANGED))
        _refuse_loss(state, options)
    tasks = _tasks(states)
    census = Census(index.languages, options.languages)
    moved = {new: old for state in states for new, old in state.changes.moved_from.items()}
    reader = FolderReader(census, options.reading, report)
    with reader.documents(tasks, stage("reading", len(tasks))) as documents:
        _refuse_broken(report, options)
        added: set[str] = set()

        def noted() -> Iterable[Document]:
            for document in documents:
                added.add(document.doc_id)
                yield document

        if tasks:
            advance = stage("indexing", None)
            report.added = index.add(noted(), advance, reuse=_origins(states, moved))
    report.deleted = _delete(states, index, added, report)
    for state in states:
        record_root(index, state.root)
    return report


def _tasks(states: Sequence[_RootState]) -> list[Task]:
    return [task for state in states for task in tasks_of(state.root, state.changes.to_read)]


def _origins(states: Sequence[_RootState], moved: dict[str, str]) -> Callable[[str], list[str]]:
    """The documents whose rows a document may reuse: those of its file before it was changed."""
    known = {name: file.doc_ids for state in states for name, file in state.known.items()}

    def origins(doc_id: str) -> list[str]:
        name = doc_id.partition(INSIDE)[0]
        return [*known.get(name, ()), *known.get(moved.get(name, ""), ())]

    return origins


def _delete(states: Sequence[_RootState], index: Index, added: set[str], report: SyncReport) -> int:
    """Remove the documents of files that are gone, and those that changed files no longer have."""
    gone: list[str] = []
    for state in states:
        for name, doc_ids in state.changes.deleted.items():
            report.add(FileOutcome(Path(name), "", FileStatus.DELETED))
            gone += doc_ids
        for doc_ids in state.changes.replaced.values():
            gone += [doc_id for doc_id in doc_ids if doc_id not in added]
    return index.delete(gone) if gone else 0


def _refuse_other_root(index: Index, root: Root) -> None:
    """Refuse a label that another folder has, as long as that folder is there."""
    path = recorded_path(index, root.label)
    if path and path != str(root.path) and Path(path).exists():
        raise UserError(
            f"{index.folder} has files of {path} under the name {root.label!r}; {root.path} needs"
            " another name: --label NAME"
        )


def _refuse_loss(state: _RootState, options: SyncOptions) -> None:
    if options.allow_deletes or not state.known:
        return
    share = missing_share(state.changes, state.known)
    if share > LARGEST_LOSS:
        raise UserError(
            f"{state.root.path}: {share:.0%} of the {len(state.known):,} indexed files are not"
            " there. If they are gone for good: --allow-deletes. If not, is the folder mounted?"
        )


def _refuse_broken(report: SyncReport, options: SyncOptions) -> None:
    if not options.strict:
        return
    for file in report.files:
        if file.status in (FileStatus.BROKEN, FileStatus.IN_PART):
            raise UserError(f"{file.path}: found {file.reason}. Without --strict the rest is indexed.")
