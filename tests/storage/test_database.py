"""One SQLite file: transactions, threads, and errors that name it."""

import errno
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from dragoman.errors import IndexFault
from dragoman.storage.database import DamagedRows, Database, StorageError, guarded

SCHEMA = "CREATE TABLE numbers(value INTEGER PRIMARY KEY); INSERT INTO numbers VALUES (1);"


@pytest.fixture
def database(tmp_path):
    made = Database.create(tmp_path / "numbers.sqlite", SCHEMA)
    yield made
    made.close()


def values(database: Database) -> list[int]:
    with database.read_transaction() as connection:
        return [value for (value,) in connection.execute("SELECT value FROM numbers")]


def test_what_a_transaction_wrote_is_there_after_it(database):
    with database.write_transaction() as connection:
        connection.execute("INSERT INTO numbers VALUES (2)")
    assert values(database) == [1, 2]
    other = Database(database.path)
    assert values(other) == [1, 2]
    other.close()


def test_it_is_a_write_ahead_log_that_is_flushed_by_every_commit(database):
    with database.connection() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_an_error_leaves_nothing_of_a_transaction(database):
    def failing() -> None:
        with database.write_transaction() as connection:
            connection.execute("INSERT INTO numbers VALUES (2)")
            raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        failing()
    assert values(database) == [1]
    with database.write_transaction() as connection:  # the connection is as good as before
        connection.execute("INSERT INTO numbers VALUES (3)")
    assert values(database) == [1, 3]


def test_a_reader_sees_one_state(database):
    with database.read_transaction() as connection:
        before = connection.execute("SELECT COUNT(*) FROM numbers").fetchone()
        with database.write_transaction() as writer:
            writer.execute("INSERT INTO numbers VALUES (2)")
        assert connection.execute("SELECT COUNT(*) FROM numbers").fetchone() == before
    assert values(database) == [1, 2]


def test_threads_have_connections_of_their_own(database):
    together = threading.Barrier(4)

    def read(_: int) -> int:
        with database.read_transaction() as connection:
            together.wait(timeout=10)
            return id(connection)

    with ThreadPoolExecutor(4) as pool:
        assert len({*pool.map(read, range(4))}) == 4


def test_a_closed_database_leaves_no_log(database):
    with database.write_transaction() as connection:
        connection.execute("INSERT INTO numbers VALUES (2)")
    database.close()
    assert [path.name for path in database.path.parent.iterdir()] == ["numbers.sqlite"]


def test_no_database_is_an_error_that_names_it(tmp_path):
    with pytest.raises(IndexFault, match=r"none.sqlite: found no such file"):
        Database(tmp_path / "none.sqlite")


@pytest.mark.parametrize("content", [b"", b"text" * 2000])
def test_what_is_no_database_is_refused(tmp_path, content):
    (tmp_path / "numbers.sqlite").write_bytes(content)

    def read() -> None:
        values(Database(tmp_path / "numbers.sqlite"))

    with pytest.raises(IndexFault, match=r"numbers.sqlite: found a damaged database"):
        read()


def test_a_damaged_page_is_an_error_that_names_the_file(database):
    database.close()
    data = bytearray(database.path.read_bytes())
    data[4096:4104] = b"\xff" * 8
    database.path.write_bytes(data)
    again = Database(database.path)
    with pytest.raises(IndexFault, match=r"numbers.sqlite: found a damaged database"):
        values(again)
    again.close()


def test_a_writer_that_waits_in_vain_is_told_so(database):
    with database.write_transaction(), database.connection() as other:
        other.execute("PRAGMA busy_timeout = 50")
        with pytest.raises(StorageError, match=r"locked.*Committed"), guarded(database.path):
            other.execute("BEGIN IMMEDIATE")


@pytest.mark.parametrize(
    ("error", "kind", "message"),
    [
        (OSError(errno.ENOSPC, "No space left", "/x/file"), StorageError, "/x/file: No space left"),
        (OSError(errno.EIO, "Input/output error"), StorageError, "here: Input/output error"),
        (FileNotFoundError(errno.ENOENT, "No such file", "/x/file"), IndexFault, "/x/file: found"),
        (sqlite3.OperationalError("disk I/O error"), StorageError, r"here: .*disk I/O error"),
        (sqlite3.DatabaseError("file is not a database"), IndexFault, "here: found a damaged"),
        (DamagedRows("found other rows."), DamagedRows, r"^here: found other rows\.$"),
    ],
)
def test_errors_name_the_file(tmp_path, monkeypatch, error, kind, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kind, match=message), guarded(type(tmp_path)("here")):
        raise error


def test_the_file_of_damaged_rows_is_named_once(tmp_path):
    with (
        pytest.raises(DamagedRows, match=r"^inner: found other rows\.$"),
        guarded(tmp_path),
        guarded(type(tmp_path)("inner")),
    ):
        raise DamagedRows("found other rows.")
