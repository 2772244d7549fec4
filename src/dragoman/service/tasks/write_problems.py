"""Errors of writes -> problems that say what to do; nothing of the server's folders is shown."""

import errno
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from dragoman.errors import ConfigError, DragomanError, IndexFault
from dragoman.indexes.lock import IndexBusy
from dragoman.service.problems import Problem
from dragoman.service.tasks.writer import WriterFull
from dragoman.storage.database import StorageError

log = logging.getLogger("dragoman.service")
FULL = (errno.ENOSPC, errno.EDQUOT)
Refusal = tuple[tuple[type[Exception], ...], int, str, str, str]
REFUSALS: tuple[Refusal, ...] = (  # the first that fits: status, code, detail, seconds to wait
    ((WriterFull,), 503, "writer_full", "Too many writes wait; try again soon.", "1"),
    (
        (IndexBusy,),
        *(503, "index_busy", "Another process is writing to the index; try again soon.", "10"),
    ),
    (
        (ConfigError,),
        *(409, "other_writer", "Another service writes to this index; this one only reads.", ""),
    ),
    (
        (StorageError, OSError, sqlite3.Error),
        *(503, "write_refused", "The service cannot write; its log has the reason.", "30"),
    ),
    (
        (IndexFault,),
        *(503, "index_unavailable", "The index cannot take this now; see the log.", "5"),
    ),
)


@contextmanager
def write_problems() -> Iterator[None]:
    """Raise errors of writes as problems."""
    try:
        yield
    except Problem:
        raise
    except (WriterFull, DragomanError, OSError, sqlite3.Error) as error:
        problem = problem_of_write(error)
        if problem is None:
            raise
        if problem.status_code >= 500:
            log.warning("a write was refused: %s", error)
        raise problem from error


def problem_of_write(error: Exception) -> Problem | None:
    """The problem that an error of a write is; None where it is none of writes alone."""
    if is_disk_full(error):
        return Problem(
            507,
            "disk_full",
            "The disk of the service is full: nothing of this request is stored. What was"
            " acknowledged before is safe.",
        )
    for kinds, status, code, detail, wait in REFUSALS:
        if isinstance(error, kinds):
            return Problem(status, code, detail, {"Retry-After": wait} if wait else None)
    return None


def is_disk_full(error: BaseException | None) -> bool:
    """Whether a full disk is behind an error."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in FULL:
            return True
        if isinstance(error, sqlite3.Error) and "full" in str(error):
            return True
        error = error.__cause__
    return False
