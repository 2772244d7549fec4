"""Tasks and direct writes of one index on disk: what was acknowledged is done, also after a crash.

    tasks      number (the order), id, kind, state, progress, when
    errors     of tasks: the file and the reason
    overtakes  writes of single documents that were made while tasks waited: a task leaves out the
               documents that were written after it was accepted

The database is in WAL mode with ``synchronous=FULL``: a committed row is on the disk. Two processes
use it: the service, and the one that runs its tasks (``runner``).
"""

import hashlib
import json
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from dragoman.storage.database import Database
from dragoman.types import Document

DATABASE = "service.sqlite"
SCHEMA = """
CREATE TABLE tasks(
    number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
    state TEXT NOT NULL, options TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0,
    total INTEGER NOT NULL, added INTEGER NOT NULL DEFAULT 0, attempts INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT '', created TEXT NOT NULL, finished TEXT);
CREATE INDEX tasks_by_state ON tasks(state, number);
CREATE TABLE errors(task INTEGER NOT NULL, file TEXT NOT NULL, reason TEXT NOT NULL);
CREATE INDEX errors_by_task ON errors(task);
CREATE TABLE overtakes(
    number INTEGER PRIMARY KEY AUTOINCREMENT, after INTEGER NOT NULL, id TEXT NOT NULL,
    document TEXT, applied INTEGER NOT NULL DEFAULT 0);
CREATE TABLE judgments(
    query TEXT NOT NULL, language TEXT NOT NULL, id TEXT NOT NULL, system TEXT NOT NULL,
    judge TEXT NOT NULL, grade INTEGER NOT NULL, created TEXT NOT NULL,
    PRIMARY KEY(query, language, id, system, judge)) WITHOUT ROWID;
"""
COLUMNS = (
    "number, id, kind, state, options, done, total, added, attempts, reason, created, finished"
)
MOST_FINISHED = 1_000  # tasks that are listed after they ended
MOST_ERRORS = 1_000  # of one task
MOST_LISTED = 10  # of each task of a list


class TaskKind(StrEnum):
    """What a task adds."""

    DOCUMENTS = "documents"
    FILES = "files"


class TaskState(StrEnum):
    """What has become of a task."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_final(self) -> bool:
        """Whether nothing more will happen."""
        return self not in ACTIVE


ACTIVE = (TaskState.QUEUED, TaskState.RUNNING)


@dataclass(frozen=True, slots=True)
class StoredTask:
    """A task as the database has it; ``done`` of ``total`` files or documents are through."""

    number: int
    task_id: str
    kind: TaskKind
    state: TaskState
    options: Mapping[str, Any]
    done: int
    total: int
    added: int  # documents that are in the index
    attempts: int
    reason: str  # why it waits or has failed
    created: str
    finished: str | None
    errors: tuple[tuple[str, str], ...] = field(default=())


def index_state(state: Path, index: Path) -> Path:
    """The folder for the tasks of an index: its name, and a hash of where it is."""
    whole = str(index.resolve())
    digest = hashlib.blake2b(whole.encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
    return state / "indexes" / f"{index.resolve().name}-{digest}"


def now() -> str:
    """The time, as rows have it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class TaskStore:
    """The database of an index's tasks."""

    def __init__(self, folder: Path) -> None:
        path = folder / DATABASE
        self.database = Database(path) if path.is_file() else Database.create(path, SCHEMA)

    def close(self) -> None:
        """Close the database."""
        self.database.close()

    def accept(
        self, task_id: str, kind: TaskKind, total: int, options: Mapping[str, Any]
    ) -> StoredTask:
        """Record a task whose data is on the disk; on return it is acknowledged."""
        with self.database.write_transaction() as connection:
            connection.execute(
                "INSERT INTO tasks(id, kind, state, options, total, created)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (task_id, kind, TaskState.QUEUED, json.dumps(dict(options)), total, now()),
            )
        task = self.get(task_id)
        assert task is not None
        return task

    def get(self, task_id: str) -> StoredTask | None:
        """The task with an id, with its errors."""
        with self.database.read_transaction() as connection:
            query = f"SELECT {COLUMNS} FROM tasks WHERE id = ?"  # noqa: S608 - names of ours
            row = connection.execute(query, (task_id,)).fetchone()
            return _task(row, _errors(connection, row[0])) if row else None

    def tasks(self, most: int, before: int | None = None) -> list[StoredTask]:
        """The last tasks, the newest first, with a few errors each; ``before`` a number."""
        with self.database.read_transaction() as connection:
            query = f"SELECT {COLUMNS} FROM tasks WHERE number < ? ORDER BY number DESC LIMIT ?"  # noqa: S608
            rows = connection.execute(query, (before or 1 << 62, most)).fetchall()
            return [_task(row, _errors(connection, row[0], MOST_LISTED)) for row in rows]

    def waiting(self) -> StoredTask | None:
        """The next task to run."""
        with self.database.read_transaction() as connection:
            query = f"SELECT {COLUMNS} FROM tasks WHERE state = ? ORDER BY number LIMIT 1"  # noqa: S608
            row = connection.execute(query, (TaskState.QUEUED,)).fetchone()
        return _task(row) if row else None

    def count_active(self) -> int:
        """How many tasks wait or run."""
        with self.database.read_transaction() as connection:
            return _count_active(connection)

    def begin(self, task: StoredTask) -> bool:
        """Whether a task that waits is now running; not if it was cancelled meanwhile."""
        with self.database.write_transaction() as connection:
            changed = connection.execute(
                "UPDATE tasks SET state = ?, attempts = attempts + 1, reason = ''"
                " WHERE number = ? AND state = ?",
                (TaskState.RUNNING, task.number, TaskState.QUEUED),
            )
            return changed.rowcount > 0

    def progress(self, task: StoredTask, done: int, added: int) -> None:
        """Record how far a task is."""
        with self.database.write_transaction() as connection:
            connection.execute(
                "UPDATE tasks SET done = ?, added = ? WHERE number = ?", (done, added, task.number)
            )

    def report(self, task: StoredTask, errors: Iterable[tuple[str, str]]) -> None:
        """Record the errors of a task in place of earlier ones."""
        rows = [(task.number, file, reason) for file, reason in errors][:MOST_ERRORS]
        with self.database.write_transaction() as connection:
            connection.execute("DELETE FROM errors WHERE task = ?", (task.number,))
            connection.executemany("INSERT INTO errors VALUES (?, ?, ?)", rows)

    def finish(self, task: StoredTask, state: TaskState, reason: str = "") -> bool:
        """Whether a task that had not ended has ended in this state; old ones are forgotten."""
        with self.database.write_transaction() as connection:
            changed = connection.execute(
                "UPDATE tasks SET state = ?, reason = ?, finished = ?"
                " WHERE number = ? AND state IN (?, ?)",
                (state, reason, now(), task.number, *ACTIVE),
            )
            self._forget(connection)
            return changed.rowcount > 0

    def _forget(self, connection: Connection) -> None:
        """Remove what nothing refers to any more."""
        if not _count_active(connection):
            connection.execute("DELETE FROM overtakes WHERE applied = 1")
        connection.execute(
            "DELETE FROM tasks WHERE state NOT IN (?, ?) AND number <="
            " (SELECT MAX(number) FROM tasks) - ?",
            (*ACTIVE, MOST_FINISHED),
        )
        connection.execute("DELETE FROM errors WHERE task NOT IN (SELECT number FROM tasks)")

    def wait_again(self, task: StoredTask, reason: str, *, blameless: bool) -> None:
        """Put a running task back; ``blameless`` where the attempt does not count."""
        with self.database.write_transaction() as connection:
            connection.execute(
                "UPDATE tasks SET state = ?, reason = ?, attempts = attempts - ?"
                " WHERE number = ? AND state = ?",
                (TaskState.QUEUED, reason, int(blameless), task.number, TaskState.RUNNING),
            )

    def running(self) -> list[StoredTask]:
        """The tasks that run, or ran when the service was killed."""
        with self.database.read_transaction() as connection:
            query = f"SELECT {COLUMNS} FROM tasks WHERE state = ? ORDER BY number"  # noqa: S608
            rows = connection.execute(query, (TaskState.RUNNING,)).fetchall()
        return [_task(row) for row in rows]

    def active_ids(self) -> set[str]:
        """The ids of tasks whose data is still needed."""
        with self.database.read_transaction() as connection:
            rows = connection.execute("SELECT id FROM tasks WHERE state IN (?, ?)", ACTIVE)
            return {str(one) for (one,) in rows}

    def overtake(self, doc_id: str, document: Document | None) -> int | None:
        """Record a write of one document (None: a deletion) that overtakes tasks; None without any.

        The record holds the whole document: after a crash it is written again, before the tasks.
        """
        with self.database.write_transaction() as connection:
            if not _count_active(connection):
                return None
            (after,) = connection.execute("SELECT MAX(number) FROM tasks").fetchone()
            text = json.dumps(asdict(document)) if document is not None else None
            cursor = connection.execute(
                "INSERT INTO overtakes(after, id, document) VALUES (?, ?, ?)", (after, doc_id, text)
            )
            return int(cursor.lastrowid or 0)

    def settle(self, number: int, *, applied: bool) -> None:
        """Note that a recorded write is in the index, or forget one that was refused."""
        statement = (
            "UPDATE overtakes SET applied = 1 WHERE number = ?"
            if applied
            else "DELETE FROM overtakes WHERE number = ?"
        )
        with self.database.write_transaction() as connection:
            connection.execute(statement, (number,))

    def unsettled(self) -> list[tuple[int, str, Document | None]]:
        """The recorded writes that a crash interrupted, in their order."""
        with self.database.read_transaction() as connection:
            rows = connection.execute(
                "SELECT number, id, document FROM overtakes WHERE applied = 0 ORDER BY number"
            ).fetchall()
        return [(n, i, Document(**json.loads(text)) if text else None) for n, i, text in rows]

    def overtaken(self, task: StoredTask) -> set[str]:
        """The ids of documents that were written after a task was accepted."""
        with self.database.read_transaction() as connection:
            rows = connection.execute("SELECT id FROM overtakes WHERE after >= ?", (task.number,))
            return {str(one) for (one,) in rows}


def new_task_id() -> str:
    """An id that cannot be guessed."""
    return secrets.token_hex(12)


def _count_active(connection: Connection) -> int:
    query = "SELECT COUNT(*) FROM tasks WHERE state IN (?, ?)"
    (count,) = connection.execute(query, ACTIVE).fetchone()
    return int(count)


def _errors(
    connection: Connection, number: int, most: int = MOST_ERRORS
) -> tuple[tuple[str, str], ...]:
    query = "SELECT file, reason FROM errors WHERE task = ? LIMIT ?"
    rows = connection.execute(query, (number, most))
    return tuple((file, reason) for file, reason in rows)


def _task(row: tuple[Any, ...], errors: tuple[tuple[str, str], ...] = ()) -> StoredTask:
    number, task_id, kind, state, options, *rest = row
    done, total, added, attempts, reason, created, finished = rest
    return StoredTask(
        number,
        task_id,
        TaskKind(kind),
        TaskState(state),
        json.loads(options),
        done,
        total,
        added,
        attempts,
        reason,
        created,
        finished,
        errors,
    )
