"""Records for stores, made of a number alone, and what plain arrays say of them."""

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing, contextmanager

import numpy as np

from dragoman.indexes import documents
from dragoman.indexes.memtable import pack_record
from dragoman.indexes.segment import NONE_DELETED, Entry, Segment, SegmentReader
from dragoman.indexes.spaces import Counts, Record, Space, SpaceKind
from dragoman.indexes.stored_snapshot import StoredSnapshot
from dragoman.types import Document

SPACES = (Space("words", SpaceKind.COUNTS), Space("passages", SpaceKind.ROWS, 4))


def record(
    number: int, language: str = "de", rows: int | None = None, **metadata: object
) -> Record:
    """Document ``d<number>``; it has one to three passages unless ``rows`` says how many."""
    rng = np.random.default_rng(number)
    dimensions = np.unique(rng.integers(0, 30, 6)).astype(np.uint32)
    counts = rng.integers(1, 5, len(dimensions)).astype(np.float32)
    matrix = rng.standard_normal((1 + number % 3 if rows is None else rows, 4)).astype(np.float32)
    return Record(
        Document(f"d{number}", f"Text {number} é", f"Titel {number}", language, metadata),
        {"words": Counts(dimensions, counts, int(counts.sum())), "passages": matrix},
    )


def of_rows(
    doc_id: str, rows: list[list[float]], language: str = "de", **metadata: object
) -> Record:
    """A document with these passages and nothing else."""
    document = Document(doc_id, f"Text of {doc_id}", "", language, metadata)
    return Record(document, {"passages": np.array(rows, dtype=np.float32)} if rows else {})


def dense_score(query: np.ndarray, mine: Record) -> float:
    """The best passage's score; vectors are kept in half precision."""
    return float((mine.vectors["passages"].astype(np.float16).astype(np.float32) @ query).max())


@contextmanager
def snapshot_of(
    batches: Sequence[Sequence[Record]],
    deleted: Collection[str] = (),
    spaces: Sequence[Space] = SPACES,
) -> Iterator[StoredSnapshot]:
    """A state of an index with a segment in memory for each batch, without some documents."""
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(documents.SCHEMA)
        parts, first = [], 0
        for batch in batches:
            segment = Segment.of([_entry(connection, one, spaces) for one in batch], spaces)
            gone = np.array([doc_id in deleted for doc_id in segment.ids], np.bool_)
            parts.append(SegmentReader(segment, gone if gone.any() else NONE_DELETED, first))
            first += len(segment)
        documents.delete_documents(connection, deleted)
        yield StoredSnapshot(1, tuple(parts), connection)


def _entry(connection: sqlite3.Connection, mine: Record, spaces: Sequence[Space]) -> Entry:
    key = documents.insert(connection, mine.document)
    return Entry(key, mine.document.doc_id, mine.document.language, pack_record(mine, spaces))
