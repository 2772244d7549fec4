"""One SQLite file: connections, transactions, and errors that say what happened.

The database is in WAL mode with ``synchronous=FULL``: what a transaction committed is on the disk.
A folder that cannot be written is read as it is, and opened again when its owner has changed it;
where a killed process left a write-ahead log there, database and log are copied aside first,
because the log must be played back.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory
from threading import Lock
from typing import NamedTuple

from dragoman.errors import DragomanError, IndexFault

PATIENCE = 30.0  # seconds that a transaction waits for another process
DAMAGED = (  # words of SQLite's errors that tell of it
    *("malformed", "not a database", "no such table", "no such column", "unsupported file"),
    *("Could not decode", "has no column"),
)


class StorageError(DragomanError):
    """The disk or the database refused; what was committed before is there."""


class DamagedRows(IndexFault):
    """Rows of a database that are not those that were written; ``guarded`` adds its name."""

    def __init__(self, found: str, path: Path | None = None) -> None:
        self.found, self.path = found, path
        super().__init__(f"{path}: {found}" if path else found)


class Database:
    """Connections to one file; each is used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        self._aside: list[TemporaryDirectory[str]] = []
        self._frozen: _Stamp | None = None  # of files that SQLite does not follow
        self._opening = Lock()
        self.is_writable = True
        self._closed = False
        self._release(self._first(), self._idle)

    @classmethod
    def create(cls, path: Path, schema: str) -> "Database":
        """An empty database with these tables."""
        with guarded(path):
            connection = sqlite3.connect(path, isolation_level=None)
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=FULL")
            connection.executescript(schema)
            connection.close()
        return cls(path)

    def _first(self) -> sqlite3.Connection:
        if not self.path.is_file():
            raise IndexFault(f"{self.path}: found no such file; expected the index's database.")
        self.is_writable = all(os.access(one, os.W_OK) for one in (self.path, self.path.parent))
        self._address, self._frozen = f"{self.path.absolute().as_uri()}?mode=rw", None
        try:
            return self._connect()
        except sqlite3.DatabaseError as error:
            if self.is_writable or not isinstance(error, sqlite3.OperationalError):
                raise _named(self.path, error) from error
        with guarded(self.path):
            self._frozen = _stamp(self.path)
            if self._frozen.log is None:
                self._address = f"{self.path.absolute().as_uri()}?mode=ro&immutable=1"
            else:
                self._aside.append(TemporaryDirectory(prefix="dragoman-"))
                copy = Path(shutil.copy(self.path, self._aside[-1].name))
                shutil.copy(_log(self.path), self._aside[-1].name)
                self._address = f"{copy.as_uri()}?mode=rw"
            return self._connect()

    def _follow(self) -> None:
        """Open the files again if SQLite does not follow them and somebody has changed them."""
        if self._frozen is not None and self._frozen != _stamp(self.path):
            with self._opening:
                if self._frozen is not None and self._frozen != _stamp(self.path):
                    self._idle = SimpleQueue()
                    self._release(self._first(), self._idle)

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self._address,
            uri=True,
            isolation_level=None,
            timeout=PATIENCE,
            check_same_thread=False,
            cached_statements=64,
        )
        try:
            if self.is_writable:
                connection.execute("PRAGMA synchronous=FULL")
            connection.execute("SELECT COUNT(*) FROM sqlite_schema").fetchone()
        except sqlite3.DatabaseError:
            connection.close()
            raise
        except UnicodeDecodeError as error:  # a message of SQLite that quotes damaged bytes
            connection.close()
            raise sqlite3.DatabaseError("malformed names of tables") from error
        return connection

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection of its own for this thread; errors name the file."""
        with guarded(self.path):
            self._follow()
            idle, frozen = self._idle, self._frozen
            try:
                connection = idle.get_nowait()
            except Empty:
                connection = self._connect()
            try:
                yield connection
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                self._release(connection, idle)
            if frozen is not None and frozen.file != _stamp(self.path).file:
                raise StorageError(f"{self.path}: it was written to while it was read. Try again.")

    def _release(
        self, connection: sqlite3.Connection, idle: SimpleQueue[sqlite3.Connection]
    ) -> None:
        if self._closed or idle is not self._idle:
            connection.close()
        else:
            idle.put(connection)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A transaction that sees one state of the database."""
        with self.connection() as connection:
            connection.execute("BEGIN")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is on the disk when the block has ended."""
        with self.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    def close(self) -> None:
        """Close all connections; the last one to close writes the log back into the file."""
        self._closed = True
        while not self._idle.empty():
            self._idle.get().close()
        for folder in self._aside:
            folder.cleanup()


class _Stamp(NamedTuple):
    """What tells that a database, or its write-ahead log, was written to."""

    file: tuple[int, int, int]
    log: tuple[int, int, int] | None  # None where it is empty


def _stamp(path: Path) -> _Stamp:
    log = _log(path).stat() if _log(path).exists() else None
    return _Stamp(_written(path.stat()), _written(log) if log and log.st_size else None)


def _written(file: os.stat_result) -> tuple[int, int, int]:
    return file.st_ino, file.st_size, file.st_mtime_ns


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """Turn errors of the disk and of SQLite into ours."""
    try:
        yield
    except DamagedRows as error:
        if error.path is not None:
            raise
        raise DamagedRows(error.found, path) from error
    except sqlite3.Error as error:
        raise _named(path, error) from error
    except UnicodeDecodeError as error:  # a message of SQLite that quotes damaged bytes
        raise _named(path, sqlite3.DatabaseError("malformed names")) from error
    except OSError as error:
        where = error.filename or path
        if isinstance(error, FileNotFoundError):
            raise IndexFault(
                f"{where}: found no such file; expected a file of the index. Restore the folder"
                " from a copy."
            ) from error
        raise StorageError(
            f"{where}: {error.strerror or error}. What was acknowledged before is kept; make room"
            " or mend the disk and repeat the command."
        ) from error


def _named(path: Path, error: sqlite3.Error) -> DragomanError:
    if any(words in str(error) for words in DAMAGED):
        return IndexFault(
            f"{path}: found a damaged database ({error}). `dragoman verify INDEX` tells what is"
            " affected; restore the index from a snapshot or build it again."
        )
    return StorageError(
        f"{path}: the database refused ({error}). What was acknowledged before is kept."
    )
