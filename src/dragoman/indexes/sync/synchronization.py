"""``sync``: an index is brought in step with folders; only what changed is read and encoded."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import dragoman
from dragoman.errors import UserError
from dragoman.indexes.build import build, noted_interrupt
from dragoman.indexes.index import Index
from dragoman.indexes.manifest import MANIFEST, refuse_foreign_folder
from dragoman.indexes.pipeline import EncodingWorkers
from dragoman.indexes.sync.comparison import compare, indexed_files, missing_share
from dragoman.indexes.sync.planning import RootState, origins_of, tasks_of
from dragoman.indexes.sync.reading import FolderReader, FolderTexts
from dragoman.indexes.sync.records import metadata_below, record, recorded_path, seen_files
from dragoman.indexes.sync.report import FileOutcome, FileStatus, SyncReport
from dragoman.protocols import Advance, Stage, no_progress, no_stages
from dragoman.text.readers.contents import ReaderConfig
from dragoman.text.readers.languages import Census
from dragoman.text.readers.scan import Root, ScannedFile, scan
from dragoman.types import Document

REASONS = 3  # in an error about a folder without text
GONE, WHY_GONE = "gone", "no longer in its folder"
LARGEST_LOSS = 1 / 5  # of the indexed files of a root, beyond which nothing is deleted unasked


def open_folder(folder: Path) -> Index | None:
    """The index in a folder; None where there is none yet."""
    refuse_foreign_folder(folder)
    return Index(folder) if (folder / MANIFEST).is_file() else None


@dataclass(frozen=True)
class SyncOptions:
    """How folders are brought into an index."""

    allow_deletes: bool = False
    strict: bool = False  # the first file that cannot be read is an error
    languages: tuple[str, ...] = ()  # that texts may be in; none: any
    create: Callable[..., Index] = build  # how a new index is made of documents
    open: Callable[[Path], Index | None] = open_folder  # None where there is no index yet
    workers: EncodingWorkers | None = None  # that encode what is added to an index
    reading: ReaderConfig = field(default_factory=ReaderConfig)


def sync(
    roots: Sequence[Root], folder: Path, options: SyncOptions, stage: Stage = no_stages
) -> SyncReport:
    """Bring the index in ``folder`` in step with some folders; a new one is built if none is there.

    Only documents of these roots are touched.
    """
    report = SyncReport()
    roots = [*dict.fromkeys(roots)]
    _refuse_same_labels(roots)
    index = options.open(folder)
    if index is None:
        states = [_scanned(root, report, options) for root in roots]
        return _built(states, folder, options, stage, report)
    with index:
        states = [_scanned(root, report, options) for root in roots]
        return _updated(states, index, options, stage, report)


def _refuse_same_labels(roots: Sequence[Root]) -> None:
    by_label: dict[str, Path] = {}
    for root in roots:
        if (other := by_label.setdefault(root.label, root.path)) != root.path:
            raise UserError(
                f"{other} and {root.path} would both be called {root.label!r}."
                " Sync them one by one and give one another name: --label NAME"
            )


def _scanned(root: Root, report: SyncReport, options: SyncOptions) -> RootState:
    files = [*scan(root)]
    if not files and not options.allow_deletes:
        raise UserError(
            f"{root.path}: found an empty folder; expected files. Is it mounted? If it is meant to"
            " be empty: --allow-deletes."
        )
    for file in files:
        if not file.is_readable and not file.is_closed:
            _report_passed_over(file, file.reason, report)
    return RootState(root, [file for file in files if file.is_readable or file.is_closed])


def _report_passed_over(file: ScannedFile, reason: str, report: SyncReport) -> None:
    kind = str(file.file_type or "other")
    report.add(FileOutcome(file.path, kind, FileStatus.PASSED_OVER, reason, file.size))


def _built(
    states: Sequence[RootState],
    folder: Path,
    options: SyncOptions,
    stage: Stage,
    report: SyncReport,
) -> SyncReport:
    for state in states:
        state.changes = compare(state.files, {})
        _report_lost(state, report)
    tasks, copies = tasks_of(states)
    reader = FolderReader(Census({}, options.languages), options.reading, report)
    with reader.texts(tasks, copies, stage("reading", len(tasks))) as texts:
        _refuse_broken(report, options)
        _refuse_nothing(states, texts, report)
        with options.create(texts.documents(), folder, stage=_renamed(stage)) as index:
            report.added = index.count() + _add_copies(index, texts, stage)
            _record(states, index, reader)
    return report


def _renamed(stage: Stage) -> Stage:
    """The stages of a build whose documents have been read: it decides on their languages."""

    def renamed(name: str, total: int | None, /) -> Advance:
        return stage("detecting languages" if name == "reading" else name, total)

    return renamed


def _updated(
    states: Sequence[RootState],
    index: Index,
    options: SyncOptions,
    stage: Stage,
    report: SyncReport,
) -> SyncReport:
    for state in states:
        _refuse_other_root(index, state.root)
        state.known = indexed_files(metadata_below(index, state.root.label))
        seen = seen_files(index, state.root.label, _signature(options.reading))
        state.changes = compare(state.files, state.known, seen)
        _report_unchanged(state, report)
        _report_lost(state, report)
        _refuse_loss(state, options)
    tasks, copies = tasks_of(states)
    reader = FolderReader(Census(index.languages, options.languages), options.reading, report)
    added: set[str] = set()

    def noted(documents: Iterable[Document]) -> Iterable[Document]:
        for document in documents:
            added.add(document.doc_id)
            yield document

    advance = stage("reading", len(tasks)) if tasks else no_progress
    with reader.texts(tasks, copies, advance) as texts:
        _refuse_broken(report, options)
        with noted_interrupt(index.place):
            if tasks:
                advance = stage("indexing passages", texts.passages.total())
                documents = noted(texts.documents())
                report.added = index.add(
                    documents, advance, reuse=origins_of(states), workers=options.workers
                )
                report.added += _add_copies(index, texts, stage, noted)
            report.deleted = _delete(states, index, added, report)
            _record(states, index, reader)
    return report


def _add_copies(
    index: Index,
    texts: FolderTexts,
    stage: Stage,
    noted: Callable[[Iterable[Document]], Iterable[Document]] = iter,
) -> int:
    """Add files with the content of one that was read; their vectors are those of that one."""
    if not texts.copies:
        return 0
    total = sum(texts.passages[copy.number] for copy in texts.copies)
    advance = stage("adding passages of copies", total)
    return index.add(noted(texts.documents_of_copies()), advance, reuse=texts.original)


def _record(states: Sequence[RootState], index: Index, reader: FolderReader) -> None:
    """Record the files that could not be read; one without a reader is tried again next time."""
    for state in states:
        new = {
            doc_id: seen
            for (label, doc_id), seen in reader.seen.items()
            if label == state.root.label and seen.status != FileStatus.PASSED_OVER
        }
        record(index, state.root, state.changes.seen | new, _signature(reader.config))


def _signature(config: ReaderConfig) -> str:
    """What decides whether a file that could not be read is tried again."""
    return f"{dragoman.__version__} {config}"


def _report_unchanged(state: RootState, report: SyncReport) -> None:
    """Report files that are as before: those that could not be read with the same reason."""
    for file, seen in state.changes.unchanged:
        status, reason = FileStatus.UNCHANGED, ""
        if seen and seen.status:
            in_part = FileStatus(seen.status) is FileStatus.IN_PART
            status = FileStatus.UNCHANGED if in_part else FileStatus(seen.status)
            reason = f"{seen.status} before, {seen.reason}" if in_part else seen.reason
        report.add(FileOutcome(file.path, str(file.file_type), status, reason, file.size))


def _report_lost(state: RootState, report: SyncReport) -> None:
    for file, reason in state.changes.lost:
        _report_passed_over(file, reason, report)


def _delete(states: Sequence[RootState], index: Index, added: set[str], report: SyncReport) -> int:
    """Remove the documents of files that are gone, and those that changed files no longer have."""
    gone: list[str] = []
    for state in states:
        moved = {*state.changes.moved_from.values()}
        for name, doc_ids in state.changes.deleted.items():
            if name not in moved:
                report.add(FileOutcome(Path(name), GONE, FileStatus.DELETED, WHY_GONE))
            gone += doc_ids
        for doc_ids in state.changes.replaced.values():
            gone += [doc_id for doc_id in doc_ids if doc_id not in added]
    return index.delete(gone) if gone else 0


def _refuse_other_root(index: Index, root: Root) -> None:
    """Refuse a label that another folder has, as long as that folder is there."""
    path = recorded_path(index, root.label)
    if path and path != str(root.path) and Path(path).exists():
        raise UserError(
            f"{index.place} has files of {path} under the name {root.label!r}; {root.path} needs"
            " another name: --label NAME"
        )


def _refuse_loss(state: RootState, options: SyncOptions) -> None:
    if options.allow_deletes or not state.known:
        return
    share = missing_share(state.changes, state.known)
    if share > LARGEST_LOSS:
        raise UserError(
            f"{state.root.path}: {share:.0%} of the {len(state.known):,} indexed files are not"
            " there. If they are gone for good: --allow-deletes. If not, is the folder mounted?"
        )


def _refuse_nothing(states: Sequence[RootState], texts: FolderTexts, report: SyncReport) -> None:
    """Refuse to build an index of no text, with the reasons why there is none."""
    if texts.starts:
        return
    counts = Counter(
        f"{file.status}: {file.reason}" if file.reason else str(file.status)
        for file in report.files
    )
    found = [f"{count:,} {reason}" for reason, count in counts.most_common(REASONS)]
    found += [f"left out {letters:,} letters, {why}" for why, letters in report.left_out.items()]
    where = ", ".join(str(state.root.path) for state in states)
    raise UserError(
        f"{where}: found no text in {len(report.files):,} files ({'; '.join(found) or 'none'});"
        " expected a file with text. docs/formats.md lists what can be read."
    )


def _refuse_broken(report: SyncReport, options: SyncOptions) -> None:
    if not options.strict:
        return
    for file in report.files:
        if file.status in (FileStatus.BROKEN, FileStatus.IN_PART):
            raise UserError(
                f"{file.path}: found {file.reason}. Without --strict the rest is indexed."
            )
