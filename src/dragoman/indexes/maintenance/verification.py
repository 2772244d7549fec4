"""An index -> findings: every file, every row, and a search for a sample of its documents.

Nothing is changed and no lock is taken: the index may be in use meanwhile. ``repair`` rebuilds what
follows from the stored texts.
"""

import sqlite3
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np

from dragoman.errors import DragomanError, IndexFault
from dragoman.indexes import documents as table
from dragoman.indexes.filters import Filter
from dragoman.indexes.index import Index
from dragoman.indexes.maintenance.checksums import CHECKSUMS, changed_files
from dragoman.indexes.maintenance.database_check import (
    DATABASE,
    DatabaseRows,
    check_counters,
    check_rows,
    check_structure,
    check_tallies,
    check_treatments,
    tolerant_transaction,
)
from dragoman.indexes.maintenance.findings import (
    CARRY_OVER,
    Component,
    Finding,
    Severity,
    VerificationReport,
)
from dragoman.indexes.maintenance.segment_check import (
    SEGMENTS,
    SegmentCheck,
    SegmentFile,
    check_segments,
    open_segments,
)
from dragoman.indexes.manifest import MANIFEST, OLDEST, STORE, SYSTEM, Manifest
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.store import TRIES, Store
from dragoman.protocols import Advance, no_progress
from dragoman.storage.database import Database, guarded
from dragoman.types import Document, Query

SAMPLE = 20  # documents that are searched by their own words
WORDS = 5  # of a document, in a query
LONGEST_WORD = 40  # characters; the length of a query where blanks do not separate words
DEPTH = 100  # hits among which a document must be
PAUSE = 0.05  # seconds to wait for a merge that is replacing segments
TOP = {MANIFEST, CHECKSUMS, SYSTEM, STORE, "lock"}
IN_STORE = {"documents.sqlite", "documents.sqlite-wal", "documents.sqlite-shm"} | {
    "segments",
    "lock",
    "merge.lock",
}


@dataclass(frozen=True, slots=True)
class FileCheck:
    """The findings about the files of an index, without its system."""

    findings: tuple[Finding, ...]
    rows: DatabaseRows | None = None  # None where the database cannot be read
    segments: SegmentCheck | None = None
    listed: int = 0  # segments

    @property
    def report(self) -> VerificationReport:
        """The findings with the counts."""
        documents = 0 if self.rows is None else len(self.rows.keys)
        return VerificationReport(self.findings, documents, self.listed)


def verify(folder: Path, advance: Advance = no_progress, *, seed: int = 0) -> VerificationReport:
    """The findings about the index in ``folder``; a folder without an index is an error."""
    check = check_files(folder, advance)
    report = check.report
    if report.damage or check.rows is None:
        return report
    return report._replace(findings=(*report.findings, *_check_search(folder, check.rows, seed)))


def check_files(folder: Path, advance: Advance = no_progress) -> FileCheck:
    """The findings about the files and rows of an index, whatever is installed."""
    if not (folder / DATABASE).is_file() and not (folder / CHECKSUMS).is_file():
        Manifest.read(folder)  # raises the error that describes the folder
    findings = _check_written_once(folder)
    try:
        with guarded(folder / DATABASE):
            database = Database(folder / DATABASE)
    except IndexFault as error:
        return FileCheck((*findings, _damaged_database(error.__cause__ or "no such file")))
    try:
        check = _check_store(folder, database, advance)
    except IndexFault as error:
        return FileCheck((*findings, _damaged_database(error.__cause__ or error)))
    finally:
        database.close()
    return FileCheck((*findings, *check.findings), check.rows, check.segments, check.listed)


def _check_written_once(folder: Path) -> list[Finding]:
    """Check the manifest and the system's files against their checksums."""
    findings, changed = list[Finding](), changed_files(folder)
    for one in changed:
        if one.is_new:
            remedy = "It is left alone."
            note = Finding(Component.SYSTEM, one.name, one.found, remedy, severity=Severity.NOTE)
            findings.append(note)
        elif one.name == CHECKSUMS:
            remedy = "Write it again, from the files as they are: dragoman verify INDEX --repair"
            findings.append(Finding(Component.CHECKSUMS, one.name, one.found, remedy))
        else:
            component = Component.MANIFEST if one.name == MANIFEST else Component.SYSTEM
            findings.append(Finding(component, one.name, one.found, CARRY_OVER))
    if MANIFEST not in {one.name for one in changed}:
        try:
            Manifest.read(folder, OLDEST)
        except IndexFault as error:
            findings.append(Finding(Component.MANIFEST, MANIFEST, _reason(error), CARRY_OVER))
    return findings


def _reason(error: DragomanError) -> str:
    return str(error).partition(": ")[2].rstrip(".")


def _damaged_database(error: object) -> Finding:
    return Finding(Component.DATABASE, DATABASE, f"a damaged database ({error})", CARRY_OVER)


def _check_store(folder: Path, database: Database, advance: Advance) -> FileCheck:
    """Check the database and the segments of one committed state."""
    for attempt in range(TRIES):
        with tolerant_transaction(database) as connection:
            try:
                if broken := check_structure(connection):
                    return FileCheck(tuple(broken))
                opened = open_segments(folder / STORE, table.listed_segments(connection))
                if attempt < TRIES - 1 and any(one.is_missing for one in opened):
                    time.sleep(PAUSE)
                    continue  # a merge may have replaced it; otherwise it is missing again
                return _check_state(folder, connection, opened, advance)
            except sqlite3.DatabaseError as error:
                return FileCheck((_damaged_database(error),))
    raise AssertionError("the last attempt returns")


def _check_state(
    folder: Path, connection: sqlite3.Connection, opened: list[SegmentFile], advance: Advance
) -> FileCheck:
    rows, findings = check_rows(connection, advance)
    segments = check_segments(connection, opened, rows)
    names = {one.stored.name for one in opened}
    every = np.concatenate([rows.keys, rows.deleted, segments.keys])
    findings += segments.findings
    findings += check_counters(connection, names, every)
    findings += check_tallies(connection)
    findings += check_treatments(connection)
    findings += _orphans(folder, names)
    return FileCheck(tuple(findings), rows, segments, len(opened))


def _orphans(folder: Path, listed: set[str]) -> list[Finding]:
    """Findings about files that belong to no index or that no transaction lists."""
    findings = []
    for subfolder, known in {"": TOP, STORE: IN_STORE, SEGMENTS: listed}.items():
        here = folder / subfolder
        names = sorted(path.name for path in here.iterdir()) if here.is_dir() else []
        for name in names:
            if name in known:
                continue
            path = f"{subfolder}/{name}" if subfolder else name
            findings.append(_leftover(path) if subfolder == SEGMENTS else _foreign(path))
    return findings


def _leftover(path: str) -> Finding:
    remedy = "It is harmless; the next change to the index removes it."
    found = "a file that no transaction names"
    return Finding(Component.LEFTOVERS, path, found, remedy, severity=Severity.NOTE)


def _foreign(path: str) -> Finding:
    found = "a file that is not part of an index"
    return Finding(Component.FILES, path, found, "It is left alone.", severity=Severity.NOTE)


def _check_search(folder: Path, rows: DatabaseRows, seed: int) -> list[Finding]:
    """Check that the system loads and that a search finds a sample of documents."""
    try:
        with Index(folder) as index:
            return _check_sample(index, rows, seed)
    except IndexFault as error:
        return [
            Finding(Component.SYSTEM, SYSTEM, "an index that cannot be searched here", str(error))
        ]
    except DragomanError as error:
        found = "a system that this machine cannot load: no search was tried"
        return [Finding(Component.SYSTEM, SYSTEM, found, str(error), severity=Severity.WARNING)]


def folder_store(index: Index) -> Store:
    """The store of an index in a folder, for what needs its files."""
    assert isinstance(index.store, Store)
    return index.store


def _check_sample(index: Index, rows: DatabaseRows, seed: int) -> list[Finding]:
    rng = Random(seed)  # noqa: S311 - a sample, not a secret
    keys = np.array(sorted(rng.sample(rows.keys.tolist(), min(SAMPLE, len(rows.keys)))), np.int64)
    missing = []
    with folder_store(index).snapshot() as snapshot:
        sample = [one for one in table.documents_of(snapshot.connection, keys) if one is not None]
        for document in sample:
            query = Query(document.doc_id, own_words(document), document.language)
            scope = Scope(Filter(languages=(document.language,)))
            if not query.text:
                continue
            hits = index.system.search(snapshot, query, DEPTH, scope).hits
            if document.doc_id not in {hit.doc_id for hit in hits}:
                missing.append(document.doc_id)
    if not missing:
        return []
    found = f"of {len(sample):,} documents {len(missing):,} are not found by their own words"
    remedy = (
        "That is expected of documents without a word in the system's vocabulary. Otherwise build"
        " the index again."
    )
    return [Finding(Component.SEARCH, "", found, remedy, tuple(missing), Severity.WARNING)]


def own_words(document: Document) -> str:
    """A query of a document's longest words; its beginning where blanks do not separate words."""
    words = dict.fromkeys(document.text.split() or document.title.split())
    longest = sorted(words, key=len, reverse=True)[:WORDS]
    return " ".join(word[:LONGEST_WORD] for word in longest)
