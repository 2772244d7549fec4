import errno
import sqlite3

import pytest

from dragoman.errors import ConfigError, DragomanError, IndexFault, UserError
from dragoman.indexes.lock import IndexBusy
from dragoman.service.problems import Problem
from dragoman.service.tasks.write_problems import is_disk_full, problem_of_write, write_problems
from dragoman.service.tasks.writer import WriterFull
from dragoman.storage.database import StorageError, guarded

PATH = "/srv/secret/index"


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (WriterFull(), 503, "writer_full"),
        (IndexBusy(f"{PATH}: process 7 is writing"), 503, "index_busy"),
        (ConfigError(f"{PATH}: another service"), 409, "other_writer"),
        (StorageError(f"{PATH}: refused"), 503, "write_refused"),
        (PermissionError(13, "no", PATH), 503, "write_refused"),
        (IndexFault(f"{PATH}: damaged"), 503, "index_unavailable"),
        (OSError(errno.ENOSPC, "No space left on device", PATH), 507, "disk_full"),
        (sqlite3.OperationalError("database or disk is full"), 507, "disk_full"),
    ],
)
def test_an_error_of_a_write_is_a_problem_without_paths(error, status, code):
    problem = problem_of_write(error)
    assert (problem.status_code, problem.code) == (status, code)
    assert PATH not in problem.detail


def test_a_full_disk_is_recognised_behind_the_error_that_names_it(tmp_path):
    def fail():
        with guarded(tmp_path):
            raise OSError(errno.ENOSPC, "No space left on device")

    with pytest.raises(StorageError) as caught:
        fail()
    assert is_disk_full(caught.value)
    assert not is_disk_full(StorageError("something else"))


def test_other_errors_pass():
    assert problem_of_write(UserError("document 'a': found nothing")) is None
    with pytest.raises(DragomanError, match="mine"), write_problems():
        raise UserError("mine")
    with pytest.raises(Problem, match="full"), write_problems():
        raise OSError(errno.EDQUOT, "quota")
