"""The store of an index: documents and segments on disk; many processes read while one writes.

    STORE/documents.sqlite   documents, metadata, memtable, deletions, the list of live segments
    STORE/segments/          immutable files (``segment``)
    STORE/lock               held while writing; holds the id of the writing process
    STORE/merge.lock         held while merging

The commit of a database transaction is the acknowledgement. A segment's file is flushed before the
transaction that lists it, so that a killed process needs no repair: a file that no transaction
lists is removed by the next writer.
"""

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from sqlite3 import Connection
from threading import Lock as ThreadLock

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DragomanError, IndexFault
from dragoman.indexes import documents as table
from dragoman.indexes.documents import SCHEMA, StoredSegment
from dragoman.indexes.lock import Lock, try_lock
from dragoman.indexes.memtable import MEMTABLE, checksum, from_bytes, pack_record, to_bytes
from dragoman.indexes.merging import merge, select_merge
from dragoman.indexes.segment import (
    ABSENT,
    NONE_DELETED,
    Entry,
    Segment,
    SegmentReader,
    write_segment,
)
from dragoman.indexes.spaces import Record, Space
from dragoman.indexes.stored_snapshot import StoredSnapshot
from dragoman.indexes.tallies import miscounted
from dragoman.storage.database import DamagedRows, Database, StorageError, guarded
from dragoman.storage.filesystems import refuse_network
from dragoman.storage.folders import flush
from dragoman.types import IntArray

DATABASE, SEGMENTS, MERGE_LOCK = "documents.sqlite", "segments", "merge.lock"
MERGING = ".merging"  # prefix of a merged segment's name until it is committed
PATIENCE = 10.0  # seconds that a writer waits for another one
TRIES = 10  # attempts to open segments that merges may replace meanwhile


class StoreReplaced(IndexFault):
    """The index was rebuilt in the same folder since it was opened."""


class Store:
    """An open store; several threads may search and change it."""

    def __init__(self, folder: Path, spaces: Sequence[Space]) -> None:
        self.folder, self.spaces = folder, tuple(spaces)
        self._inode = _inode(folder / DATABASE)  # first: the database may be replaced meanwhile
        self.database = Database(folder / DATABASE)
        self._segments: dict[str, Segment] = {}
        self._memtable: tuple[tuple[int, ...], Segment] | None = None
        self._entries: dict[int, Entry] = {}
        self._last_snapshot: StoredSnapshot | None = None
        self._opening, self._is_swept = ThreadLock(), False

    @classmethod
    def create(cls, folder: Path, spaces: Sequence[Space]) -> "Store":
        """A store without documents."""
        refuse_network(folder)
        (folder / SEGMENTS).mkdir(parents=True)
        Database.create(folder / DATABASE, SCHEMA).close()
        return cls(folder, spaces)

    def close(self) -> None:
        """Close the files."""
        self.database.close()

    @property
    def is_current(self) -> bool:
        """Whether the folder still holds the store that was opened."""
        return _inode(self.database.path) == self._inode

    @property
    def is_writable(self) -> bool:
        """Whether the folder can be written."""
        return self.database.is_writable

    def _replaced(self) -> StoreReplaced:
        return StoreReplaced(f"{self.folder}: the index was built anew; open it again.")

    @contextmanager
    def snapshot(self) -> Iterator[StoredSnapshot]:
        """The current state, unchanged while the block reads it."""
        for attempt in range(TRIES):
            with self.database.read_transaction() as connection:
                try:
                    snapshot = self._snapshot(connection)
                except (FileNotFoundError, IndexFault) as error:
                    if not self.is_current:
                        raise self._replaced() from error
                    if isinstance(error, IndexFault):
                        raise
                    if attempt == TRIES - 1:
                        raise IndexFault(
                            f"{error.filename}: found no such file; expected a segment of the"
                            " index. Restore the folder from a copy."
                        ) from error
                    continue  # a merge has replaced it: read the new list
                yield snapshot
                return

    def _snapshot(self, connection: Connection) -> StoredSnapshot:
        generation = table.counter(connection, "generation")
        snapshot = self._last_snapshot
        if snapshot is None or snapshot.generation != generation:
            with self._opening:
                snapshot = StoredSnapshot(generation, self._readers(connection), connection)
                self._last_snapshot = snapshot
        return replace(snapshot, connection=connection)

    def _readers(self, connection: Connection) -> tuple[SegmentReader, ...]:
        if wrong := miscounted(connection):
            raise DamagedRows(
                f"found other rows than were written in {', '.join(wrong)}. `dragoman verify"
                " INDEX` lists what is affected, `--repair` rebuilds what can be."
            )
        listed = table.live_segments(connection)
        names = {one.name for one in listed}
        self._segments = {name: s for name, s in self._segments.items() if name in names}
        for one in listed:
            if one.name not in self._segments:
                path = self.folder / SEGMENTS / one.name
                self._segments[one.name] = Segment.open(path, one.identity)
        segments = [self._segments[one.name] for one in listed]
        if (memtable := self._memtable_segment(connection)) is not None:
            segments.append(memtable)
        deleted = table.deleted_keys(connection)
        readers, base = [], 0
        for segment in segments:
            readers.append(SegmentReader(segment, _deletion_mask(segment, deleted), base))
            base += len(segment)
        return tuple(readers)

    def _memtable_segment(self, connection: Connection) -> Segment | None:
        """The memtable as a segment; rows that were read before are not read again."""
        rows = connection.execute("SELECT key FROM memtable ORDER BY key").fetchall()
        keys = tuple(key for (key,) in rows)
        if not keys:
            self._memtable, self._entries = None, {}
            return None
        if self._memtable is None or self._memtable[0] != keys:
            new = [key for key in keys if key not in self._entries]
            self._entries = {key: self._entries[key] for key in keys if key in self._entries}
            self._entries |= {entry.key: entry for entry in self._read_memtable(connection, new)}
            self._memtable = keys, Segment.of([*self._entries.values()], self.spaces)
        return self._memtable[1]

    def _read_memtable(self, connection: Connection, keys: Sequence[int]) -> Iterator[Entry]:
        for key in keys:
            row = connection.execute(
                "SELECT vectors, checksum FROM memtable WHERE key = ?", (key,)
            ).fetchone()
            (document,) = table.documents_of(connection, np.array([key], np.int64))
            if row is None or document is None or checksum(key, row[0]) != row[1]:
                raise DamagedRows(
                    f"found damaged vectors in the memtable (key {key}); expected those that were"
                    " written. Rebuild them: dragoman verify INDEX --repair"
                )
            yield Entry(key, document.doc_id, document.language, from_bytes(row[0]))

    def _read_only(self) -> StorageError:
        return StorageError(
            f"{self.folder}: found a folder that cannot be written; expected one that can. It can"
            " be searched; to change it, make it writable or work on a copy."
        )

    @contextmanager
    def write_transaction(self) -> Iterator[Connection]:
        """A transaction that changes the store, under the lock of writers."""
        if not self.database.is_writable:
            raise self._read_only()
        if not self._is_swept:
            refuse_network(self.folder)
        with guarded(self.folder), Lock(self.folder, PATIENCE):
            if not self.is_current:
                raise self._replaced()
            try:
                with self.database.write_transaction() as connection:
                    yield connection
                    table.increment(connection, "generation")
            except BaseException:
                self._is_swept = False
                raise
            if not self._is_swept:
                with suppress(OSError, DragomanError):  # the change itself is committed
                    self._sweep()

    def add(
        self, records: Sequence[Record], facts: Mapping[str, str], memtable: int = MEMTABLE
    ) -> None:
        """Add documents, or replace those with the same ids; on return they are on the disk.

        They stay in the memtable while it has no more than ``memtable`` documents.
        """
        latest = {record.document.doc_id: record for record in records}
        vectors = {doc_id: pack_record(one, self.spaces) for doc_id, one in latest.items()}
        with self.write_transaction() as connection:
            table.delete_documents(connection, latest)
            entries = [
                Entry(table.insert(connection, one.document), name, one.document.language, v)
                for (name, one), v in zip(latest.items(), vectors.values(), strict=True)
            ]
            for name, value in facts.items():
                table.set_fact(connection, name, value)
            (waiting,) = connection.execute("SELECT COUNT(*) FROM memtable").fetchone()
            if waiting + len(entries) > memtable:
                self._flush(connection, entries)
            else:
                connection.executemany(
                    "INSERT INTO memtable VALUES (?, ?, ?)",
                    [
                        (one.key, data, checksum(one.key, data))
                        for one in entries
                        for data in [to_bytes(one.vectors)]
                    ],
                )

    def _flush(self, connection: Connection, entries: Sequence[Entry]) -> None:
        """Write the memtable and these documents as a segment, and list it."""
        keys = [key for (key,) in connection.execute("SELECT key FROM memtable")]
        everything = [*self._read_memtable(connection, keys), *entries]
        path = self._next_path(connection)
        identity = write_segment(path, everything, self.spaces)
        flush(path.parent)
        stored = StoredSegment(path.name, len(everything), path.stat().st_size, identity)
        table.add_segment(connection, stored)
        connection.execute("DELETE FROM memtable")

    def _next_path(self, connection: Connection) -> Path:
        """A path that does not exist.

        A transaction whose last flush failed may turn out committed after a crash, so the file that
        it lists must not change until another transaction is committed.
        """
        while True:
            number = table.increment(connection, "segment")
            path = self.folder / SEGMENTS / f"{number:08d}.segment"
            if not path.exists():
                return path

    def delete(self, doc_ids: Collection[str]) -> int:
        """Delete documents; returns how many of them existed."""
        with self.write_transaction() as connection:
            return len(table.delete_documents(connection, doc_ids))

    def merge(self, *, everything: bool = False) -> bool:
        """Merge the segments that are due, or all; returns whether there were any.

        Searches and changes continue meanwhile; documents deleted meanwhile stay deleted.
        """
        if not self.database.is_writable:
            raise self._read_only()
        with guarded(self.folder), try_lock(self.folder / MERGE_LOCK) as is_locked:
            if not is_locked:
                return False
            with self.snapshot() as snapshot:
                readers = self._to_merge(snapshot, everything=everything)
            if not readers:
                return False
            self._remove_staged()
            staged = self.folder / SEGMENTS / f"{MERGING}-{os.getpid()}"
            try:
                identity, count = merge(staged, readers, self.spaces)
                self._commit_merged(staged, identity, count, readers)
            except StoreReplaced:
                return False  # by an index that is merged already
            finally:
                _unlink(staged)
            return True

    def _to_merge(self, snapshot: StoredSnapshot, *, everything: bool) -> list[SegmentReader]:
        stored = table.live_segments(snapshot.connection)
        readers = {one.segment.name: one for one in snapshot.readers if one.segment.name}
        deleted = {name: int(one.deleted.sum()) for name, one in readers.items()}
        names = select_merge(stored, deleted)
        if everything:
            names = [*readers] if len(readers) > 1 or any(deleted.values()) else []
        return [readers[name] for name in names]

    def _commit_merged(
        self, staged: Path, identity: int, count: int, readers: Sequence[SegmentReader]
    ) -> None:
        """Replace merged segments by the new one in one transaction."""
        with self.write_transaction() as connection:
            if count:
                path = self._next_path(connection)
                staged.rename(path)
                flush(path.parent)
                stored = StoredSegment(path.name, count, path.stat().st_size, identity)
                table.add_segment(connection, stored)
            names = [(one.segment.name,) for one in readers]
            connection.executemany("DELETE FROM segments WHERE name = ?", names)
            dropped = [
                (key,)
                for one in readers
                if len(one.deleted)
                for key in one.segment.keys[one.deleted].tolist()
            ]
            connection.executemany("DELETE FROM deleted WHERE key = ?", dropped)
        for (name,) in names:
            _unlink(self.folder / SEGMENTS / name)

    def replace_damaged(
        self, names: Collection[str], rows: IntArray, staged: Path | None, identity: int
    ) -> None:
        """Replace damaged segments by one made of stored texts, in one transaction.

        ``names`` are the names of the damaged segments, ``rows`` the keys of damaged rows of the
        memtable; ``staged`` is None where no document is left.
        """
        with self.write_transaction() as connection:
            listed = [(name,) for name in names]
            connection.executemany("DELETE FROM segments WHERE name = ?", listed)
            keys = [(key,) for key in rows.tolist()]
            connection.executemany("DELETE FROM memtable WHERE key = ?", keys)
            if staged is not None:
                path = self._next_path(connection)
                staged.rename(path)
                flush(path.parent)
                segment = Segment.open(path, identity)
                stored = StoredSegment(path.name, len(segment), path.stat().st_size, identity)
                table.add_segment(connection, stored)
                table.delete_unknown(connection, segment.keys)
            self.drop_stale_deletions(connection)
        for name in names:
            _unlink(self.folder / SEGMENTS / str(name))

    def drop_stale_deletions(self, connection: Connection) -> None:
        """Remove deletions of documents that no segment has."""
        keys = [
            Segment.open(self.folder / SEGMENTS / one.name, one.identity).keys
            for one in table.live_segments(connection)
        ]
        needed = np.concatenate([*keys, np.zeros(0, np.int64)])
        stale = np.setdiff1d(table.deleted_keys(connection), needed)
        connection.executemany("DELETE FROM deleted WHERE key = ?", [(k,) for k in stale.tolist()])

    def _sweep(self) -> None:
        """Remove files that failed changes and killed processes left and no transaction lists."""
        with self.database.read_transaction() as connection:
            listed = {one.name for one in table.live_segments(connection)}
        for path in (self.folder / SEGMENTS).iterdir():
            if not path.name.startswith(MERGING) and path.name not in listed:
                _unlink(path)
        with try_lock(self.folder / MERGE_LOCK) as is_locked:
            if is_locked:
                self._remove_staged()
        self._is_swept = True

    def _remove_staged(self) -> None:
        """Remove files that killed merges left; the caller holds the lock of merges."""
        for path in (self.folder / SEGMENTS).glob(f"{MERGING}*"):
            _unlink(path)


def _inode(database: Path) -> int:
    """The inode of the database, which identifies the store; -1 where there is none."""
    try:
        return database.stat().st_ino
    except OSError:
        return -1


def _unlink(path: Path) -> None:
    """Remove a file that no transaction lists; if that fails, the next writer tries again."""
    with suppress(OSError):
        path.unlink()


def _deletion_mask(segment: Segment, deleted: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Flags the segment's documents whose keys are ``deleted``; empty where none is."""
    positions = segment.positions_of(deleted)
    positions = positions[positions != ABSENT]
    if not len(positions):
        return NONE_DELETED
    mask = np.zeros(len(segment), np.bool_)
    mask[positions] = True
    return mask
