"""A damaged index -> the same index, repaired from its stored texts where possible.

Segments, vectors of the memtable, the rows that filters look up, counters and the list of checksums
follow from the documents. A damaged text, manifest or model does not: it is only reported.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from sqlite3 import Connection
from typing import NamedTuple

import numpy as np

from dragoman.batches import batched
from dragoman.errors import DragomanError, IndexFault
from dragoman.indexes import documents as table
from dragoman.indexes.index import Index
from dragoman.indexes.lock import Lock, try_lock
from dragoman.indexes.maintenance.checksums import write_checksums
from dragoman.indexes.maintenance.database_check import DATABASE, segment_number
from dragoman.indexes.maintenance.findings import Component, VerificationReport
from dragoman.indexes.maintenance.verification import FileCheck, check_files, folder_store, verify
from dragoman.indexes.manifest import STORE
from dragoman.indexes.memtable import pack_record
from dragoman.indexes.merging import merge
from dragoman.indexes.pipeline import BATCH, Pipeline
from dragoman.indexes.segment import Entry, Segment, SegmentReader, write_segment
from dragoman.indexes.store import MERGE_LOCK, MERGING, PATIENCE, SEGMENTS, Store
from dragoman.indexes.tallies import recount
from dragoman.protocols import Stage, no_stages
from dragoman.storage.database import Database, guarded
from dragoman.types import Document, IntArray

CHUNK = 2048  # documents in memory
REPAIRED_ROWS = {
    Component.FIELDS: "metadata for filters written again",
    Component.COUNTERS: "counters set again",
    Component.DELETIONS: "the list of deletions repaired",
    Component.LEFTOVERS: "files that nothing names removed",
}


class RepairReport(NamedTuple):
    """What was repaired, and the report of a verification afterwards."""

    repaired: tuple[str, ...]
    report: VerificationReport


def repair(folder: Path, stage: Stage = no_stages) -> RepairReport:
    """Repair what follows from the stored texts; all else is in the report."""
    repaired = list[str]()
    check = check_files(folder, stage("verifying", None))
    if check.rows is None and _reindexed(folder, check):
        repaired.append(f"{DATABASE}: the indexes of its tables rebuilt")
        check = check_files(folder)
    if check.rows is not None and _dropped(folder):
        check = check_files(folder)
    components = {one.component for one in check.report.findings}
    if check.rows is not None:
        if components & REPAIRED_ROWS.keys():
            _repair_rows(folder, check)
            repaired += [text for one, text in REPAIRED_ROWS.items() if one in components]
        if components & {Component.SEGMENTS, Component.MEMTABLE}:
            repaired += _rebuild(folder, check, stage)
    if Component.CHECKSUMS in components and _loads(folder):
        write_checksums(folder)
        repaired.append("checksums of the system's files written again")
    return RepairReport(tuple(repaired), verify(folder, stage("verifying again", None)))


def _reindexed(folder: Path, check: FileCheck) -> bool:
    """Rebuild the indexes of the database's tables; returns whether it is sound then."""
    if not check.report.of(Component.DATABASE) or not (folder / DATABASE).is_file():
        return False
    try:
        with _writing(folder) as connection:
            connection.execute("REINDEX")
    except DragomanError:
        return False
    return check_files(folder).rows is not None


def _dropped(folder: Path) -> bool:
    """Remove rows of the list of segments without a valid name; returns whether there were any."""
    with _writing(folder) as connection:
        rows = connection.execute(
            "SELECT CAST(name AS BLOB), typeof(name) FROM segments"
        ).fetchall()
        names = table.SEGMENT_NAME
        bad = [
            (name,)
            for name, kind in rows
            if kind != "text" or not names.fullmatch(name.decode("utf-8", "replace"))
        ]
        connection.executemany("DELETE FROM segments WHERE CAST(name AS BLOB) = ?", bad)
    return bool(bad)


@contextmanager
def _writing(folder: Path) -> Iterator[Connection]:
    """A write transaction on a database that may be too damaged for a store."""
    with guarded(folder), Lock(folder / STORE, PATIENCE):
        database = Database(folder / DATABASE)
        try:
            with database.write_transaction() as connection:
                yield connection
        finally:
            database.close()


def _repair_rows(folder: Path, check: FileCheck) -> None:
    """Rewrite in one transaction what follows from the documents; leftover files are removed."""
    assert check.rows is not None
    assert check.segments is not None
    store = Store(folder / STORE, ())
    try:
        with store.write_transaction() as connection:
            _repair_counters(connection, check.segments.keys)
            _repair_fields(connection, check.rows.wrong_fields)
            connection.execute("DELETE FROM deleted WHERE key IN (SELECT key FROM documents)")
            if not check.segments.bad:  # otherwise they are dropped when segments are rebuilt
                store.drop_stale_deletions(connection)
            recount(connection)
    finally:
        store.close()


def _repair_counters(connection: Connection, keys: IntArray) -> None:
    names = [str(one.name) for one in table.live_segments(connection)]
    for name, least in {
        "generation": 0,
        "segment": max(map(segment_number, names), default=0),
    }.items():
        now = table.fact(connection, name)
        table.set_fact(connection, name, max(now, least) if isinstance(now, int) else least)
    (largest,) = connection.execute(
        "SELECT MAX(key) FROM (SELECT key FROM documents UNION ALL SELECT key FROM deleted)"
    ).fetchone()
    least = max(largest or 0, int(keys.max()) if len(keys) else 0)
    (known,) = connection.execute(
        "SELECT MAX(CAST(seq AS INTEGER)) FROM sqlite_sequence WHERE name = 'documents'"
    ).fetchone()
    connection.execute("DELETE FROM sqlite_sequence WHERE name = 'documents'")
    connection.execute(
        "INSERT INTO sqlite_sequence VALUES ('documents', ?)", (max(known or 0, least),)
    )


def _repair_fields(connection: Connection, keys: IntArray) -> None:
    connection.execute("CREATE TEMP TABLE wrong(key INTEGER PRIMARY KEY)")
    connection.executemany("INSERT INTO wrong VALUES (?)", [(key,) for key in keys.tolist()])
    connection.execute(
        "DELETE FROM fields WHERE key IN wrong OR key NOT IN (SELECT key FROM documents)"
    )
    connection.execute("DROP TABLE wrong")
    for some in batched(keys.tolist(), CHUNK):
        stored = table.documents_of(connection, np.array(some, np.int64))
        for key, document in zip(some, stored, strict=True):
            if document is not None:
                table.insert_fields(connection, key, document.metadata)


def _rebuild(folder: Path, check: FileCheck, stage: Stage) -> list[str]:
    """Encode the documents of damaged segments again, into a segment that replaces them."""
    assert check.rows is not None
    assert check.segments is not None
    keys = np.setdiff1d(check.segments.lost, check.rows.damaged)
    bad = check.segments.bad
    with Index(folder) as index, try_lock(folder / STORE / MERGE_LOCK) as is_locked:
        if not is_locked:
            raise IndexFault(f"{folder}: another process merges segments. Try again later.")
        store = folder_store(index)
        staged = folder / STORE / SEGMENTS / f"{MERGING}-{os.getpid()}"
        with guarded(folder):
            chunks = list(_chunks(index, keys, staged, stage))
            try:
                identity = 0
                if chunks:
                    readers = [SegmentReader(one) for one in chunks]
                    identity, _ = merge(staged, readers, store.spaces)
                new = staged if chunks else None
                store.replace_damaged(bad, check.rows.bad_memtable, new, identity)
            finally:
                for one in chunks:
                    staged.with_name(one.name).unlink(missing_ok=True)
    return [f"{sum(map(len, chunks)):,} documents encoded again in place of {_named(bad)}"]


def _named(bad: Sequence[str]) -> str:
    return ", ".join(map(str, bad)) if bad else "vectors that were damaged or missing"


def _chunks(index: Index, keys: IntArray, staged: Path, stage: Stage) -> Iterator[Segment]:
    """Segments of some documents each, in files next to ``staged``."""
    advance = stage("encoding again", len(keys))
    spaces, numbers = folder_store(index).spaces, count()
    of_document = dict[str, int]()

    def documents() -> Iterator[Document]:
        for some in batched(keys.tolist(), BATCH):
            with folder_store(index).database.read_transaction() as connection:
                stored = table.documents_of(connection, np.array(some, np.int64))
            for key, document in zip(some, stored, strict=True):
                if document is not None:
                    of_document[document.doc_id] = key
                    yield document

    with Pipeline(index.system, documents()) as pipeline:
        for some in batched(pipeline, CHUNK // BATCH):
            entries = [
                Entry(
                    of_document.pop(one.document.doc_id),
                    one.document.doc_id,
                    one.document.language,
                    pack_record(one, spaces),
                )
                for batch in some
                for one in batch
            ]
            path = staged.with_name(f"{staged.name}-{next(numbers)}")
            yield Segment.open(path, write_segment(path, entries, spaces))
            advance(len(entries))


def _loads(folder: Path) -> bool:
    try:
        with Index(folder) as index:
            return bool(index.system.name)
    except DragomanError:
        return False
