"""Checks segments against their checksums and against the database that lists them."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import IndexFault
from dragoman.indexes.documents import StoredSegment
from dragoman.indexes.maintenance.database_check import DATABASE, DatabaseRows, doc_ids, id_hash
from dragoman.indexes.maintenance.findings import REPAIR, Component, Finding
from dragoman.indexes.segment import Segment
from dragoman.storage.array_file import DamagedFile
from dragoman.storage.database import encode_text
from dragoman.types import IntArray

SEGMENTS = "store/segments"


class SegmentFile(NamedTuple):
    """A listed segment and its file; ``segment`` is None where the file cannot be read."""

    stored: StoredSegment
    segment: Segment | None
    fault: str  # why it cannot be read
    is_missing: bool = False


class SegmentCheck(NamedTuple):
    """The state of the segments, as keys of documents."""

    bad: tuple[str, ...]  # names of segments to be rebuilt
    lost: NDArray[np.int64]  # documents in no undamaged segment and no row of the memtable
    masked: NDArray[np.int64]  # documents that are listed as deleted
    keys: NDArray[np.int64]  # all keys of readable segments
    findings: tuple[Finding, ...]


def open_segments(store: Path, listed: Sequence[StoredSegment]) -> list[SegmentFile]:
    """Every listed segment, opened where possible."""
    files = []
    for one in listed:
        if not one.is_whole:
            files.append(SegmentFile(one, None, "a row of the database with values of other types"))
            continue
        try:
            segment = Segment.open(store / "segments" / one.name, one.identity)
            files.append(SegmentFile(one, segment, ""))
        except FileNotFoundError:
            files.append(SegmentFile(one, None, "no such file", is_missing=True))
        except DamagedFile as error:
            files.append(SegmentFile(one, None, error.found))
        except IndexFault:
            files.append(SegmentFile(one, None, "a file with another checksum than was committed"))
    return files


def check_segments(
    connection: sqlite3.Connection, opened: Sequence[SegmentFile], rows: DatabaseRows
) -> SegmentCheck:
    """Check that every document is in exactly one segment or row of the memtable, undamaged."""
    faults: dict[str, str] = {}
    covered = rows.memtable
    for one in opened:
        fault = _fault(one, rows, covered)
        if fault:
            faults[one.stored.name] = fault
        else:
            assert one.segment is not None
            covered = np.concatenate([covered, one.segment.keys])
    lost = np.setdiff1d(rows.keys, covered)
    masked = np.intersect1d(rows.keys, rows.deleted)
    readable = [one.segment.keys for one in opened if one.segment is not None]
    keys = np.concatenate([*readable, np.zeros(0, np.int64)])
    findings = _segment_findings(connection, opened, faults, lost)
    findings += _deletion_findings(connection, rows, masked, keys, opened)
    return SegmentCheck(tuple(faults), lost, masked, keys, tuple(findings))


def _fault(one: SegmentFile, rows: DatabaseRows, covered: IntArray) -> str:
    """The fault of a segment; "" where it has none."""
    if one.segment is None:
        return one.fault
    try:
        one.segment.arrays.check()
    except DamagedFile as error:
        return error.found
    actual = one.segment.arrays.size, len(one.segment)
    if actual != (one.stored.bytes, one.stored.documents):
        return (
            f"{actual[0]:,} bytes and {actual[1]:,} documents; the database lists"
            f" {one.stored.bytes:,} and {one.stored.documents:,}"
        )
    return _foreign(one.segment, rows, covered)


def _foreign(segment: Segment, rows: DatabaseRows, covered: IntArray) -> str:
    """How a segment's documents differ from the database's; "" where they do not."""
    if len(np.unique(segment.keys)) != len(segment) or np.isin(segment.keys, covered).any():
        return "documents that are in the index twice"
    live = np.isin(segment.keys, rows.keys)
    if not (live | np.isin(segment.keys, rows.deleted)).all():
        return "documents that the database neither has nor lists as deleted"
    rows_of = np.searchsorted(rows.keys, segment.keys[live])
    if (_id_hashes(segment)[live] != rows.id_hashes[rows_of]).any():
        return "documents of other ids or languages than the database has"
    return ""


def _id_hashes(segment: Segment) -> NDArray[np.int64]:
    hashes = np.zeros(len(segment), np.int64)
    ids = list(segment.ids)
    for language, (first, last) in segment.languages.items():
        hashes[first:last] = [id_hash(encode_text(doc_id), language) for doc_id in ids[first:last]]
    return hashes


def _segment_findings(
    connection: sqlite3.Connection,
    opened: Sequence[SegmentFile],
    faults: dict[str, str],
    lost: NDArray[np.int64],
) -> list[Finding]:
    findings = []
    segments = {one.stored.name: one.segment for one in opened}
    known = [s.keys for name, s in segments.items() if name in faults and s is not None]
    elsewhere = np.setdiff1d(lost, np.concatenate([*known, np.zeros(0, np.int64)]))
    for name, fault in faults.items():
        segment = segments[name]
        affected = elsewhere if segment is None else np.intersect1d(lost, segment.keys)
        ids = doc_ids(connection, affected)
        findings.append(Finding(Component.SEGMENTS, f"{SEGMENTS}/{name}", fault, REPAIR, ids))
    if len(elsewhere) and None not in [segments[name] for name in faults]:
        ids = doc_ids(connection, elsewhere)
        what = "documents that are in no segment: no search finds them"
        findings.append(Finding(Component.SEGMENTS, DATABASE, what, REPAIR, ids))
    return findings


def _deletion_findings(
    connection: sqlite3.Connection,
    rows: DatabaseRows,
    masked: IntArray,
    keys: IntArray,
    opened: Sequence[SegmentFile],
) -> list[Finding]:
    findings = []
    if len(masked):
        what = "documents that are listed as deleted: no search finds them"
        ids = doc_ids(connection, masked)
        findings.append(Finding(Component.DELETIONS, DATABASE, what, REPAIR, ids))
    stale = np.setdiff1d(rows.deleted, keys)
    if len(stale) and all(one.segment is not None for one in opened):
        what = f"{len(stale):,} deletions of documents that are in no segment"
        remedy = "Remove them: dragoman verify INDEX --repair"
        findings.append(Finding(Component.DELETIONS, DATABASE, what, remedy))
    return findings
