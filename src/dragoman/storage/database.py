"""One SQLite file: connections, transactions, and errors that name the file and the cause.

The database is in WAL mode with ``synchronous=FULL``: a committed transaction is on the disk. In a
read-only folder the file is opened as immutable, and opened again when its owner has changed it. If
a killed process left a write-ahead log there, database and log are first copied to a temporary
folder, because SQLite must replay the log.
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
DAMAGED = (  # parts of SQLite's messages about a damaged file
    *("malformed", "not a database", "no such table", "no such column", "unsupported file"),
    *("Could not decode", "has no column"),
)


class StorageError(DragomanError):
    """The disk or the database refused a read or write; committed transactions are intact."""


class DamagedRows(IndexFault):
    """Rows that differ from those that were written; ``guarded`` adds the database's path."""

    def __init__(self, found: str, path: Path | None = None) -> None:
        self.found, self.path = found, path
        super().__init__(f"{path}: {found}" if path else found)


class Database:
    """A pool of connections to one file; each is used by one thread at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: SimpleQueue[sqlite3.Connection] = SimpleQueue()
        self._copies: list[TemporaryDirectory[str]] = []
        self._frozen: _Stamp | None = None  # of files opened as immutable or copied
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
                self._copies.append(TemporaryDirectory(prefix="dragoman-"))
                copy = Path(shutil.copy(self.path, self._copies[-1].name))
                shutil.copy(_log(self.path), self._copies[-1].name)
                self._address = f"{copy.as_uri()}?mode=rw"
            return self._connect()

    def _follow(self) -> None:
        """Open the files again if they were opened as immutable or copied, and have changed."""
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
        except UnicodeDecodeError as error:  # SQLite's message quotes damaged bytes
            connection.close()
            raise sqlite3.DatabaseError("malformed names of tables") from error
        return connection

    @contextmanager
    def connection(self) -> Iterator[sqlite3.Connection]:
        """A connection for this thread alone; errors name the file."""
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
                raise StorageError(f"{self.path}: found a change while it was read. Try again.")

    def _release(
        self, connection: sqlite3.Connection, idle: SimpleQueue[sqlite3.Connection]
    ) -> None:
        if self._closed or idle is not self._idle:
            connection.close()
        else:
            idle.put(connection)

    @contextmanager
    def read_transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that sees one state of the database throughout."""
        with self.connection() as connection:
            connection.execute("BEGIN")
            yield connection
            connection.execute("COMMIT")

    @contextmanager
    def write_transaction(self) -> Iterator[sqlite3.Connection]:
        """A transaction that is committed to the disk when the block ends."""
        with self.connection() as connection:
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")

    def close(self) -> None:
        """Close all connections; the last one to close checkpoints the write-ahead log."""
        self._closed = True
        while not self._idle.empty():
            self._idle.get().close()
        for folder in self._copies:
            folder.cleanup()


class _Stamp(NamedTuple):
    """Inode, size and time of a database and its write-ahead log: they change with every write."""

    file: tuple[int, int, int]
    log: tuple[int, int, int] | None  # None where it is empty or missing


def _stamp(path: Path) -> _Stamp:
    log = _log(path).stat() if _log(path).exists() else None
    return _Stamp(_written(path.stat()), _written(log) if log and log.st_size else None)


def _written(file: os.stat_result) -> tuple[int, int, int]:
    return file.st_ino, file.st_size, file.st_mtime_ns


def _log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


@contextmanager
def guarded(path: Path) -> Iterator[None]:
    """Raise errors of the disk and of SQLite as ``StorageError`` or ``IndexFault``, with a path."""
    try:
        yield
    except DamagedRows as error:
        if error.path is not None:
            raise
        raise DamagedRows(error.found, path) from error
    except sqlite3.Error as error:
        raise _named(path, error) from error
    except UnicodeDecodeError as error:  # SQLite's message quotes damaged bytes
        raise _named(path, sqlite3.DatabaseError("malformed names")) from error
    except OSError as error:
        where = error.filename or path
        if isinstance(error, FileNotFoundError):
            raise IndexFault(
                f"{where}: found no such file; expected a file of the index. Restore the folder"
                " from a copy."
            ) from error
        raise StorageError(
            f"{where}: {error.strerror or error}. Committed changes are safe; free some space or"
            " repair the disk and repeat the command."
        ) from error


def _named(path: Path, error: sqlite3.Error) -> DragomanError:
    if any(words in str(error) for words in DAMAGED):
        return IndexFault(
            f"{path}: found a damaged database ({error}). `dragoman verify INDEX` lists what is"
            " affected; restore the index from a snapshot or build it again."
        )
    return StorageError(f"{path}: the database refused ({error}). Committed changes are safe.")


def encode_text(text: str) -> bytes:
    """A text as the database stores it."""
    return text.encode("utf-8", "surrogatepass")


def decode_text(data: bytes) -> str:
    """What ``encoded`` made bytes of."""
    try:
        return str(data, "utf-8", "surrogatepass")
    except (UnicodeDecodeError, TypeError) as error:
        raise DamagedRows(
            f"found a damaged text ({error}). `dragoman verify INDEX` lists all that is damaged."
        ) from error
