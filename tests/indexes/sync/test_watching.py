"""Changes of files, noticed by the kernel or by polling."""

import os
from itertools import count
from threading import Event, Thread

import pytest

pytest.importorskip("watchfiles", reason="needs the extra 'files'")

from dragoman.indexes.sync import watching
from dragoman.indexes.sync.watching import changes


@pytest.fixture(autouse=True)
def soon(monkeypatch):
    monkeypatch.setattr(watching, "QUIET", 50)
    monkeypatch.setattr(watching, "POLLED", 100)


class Repeated:
    """Does something again and again, in a thread, as long as the block lasts."""

    def __init__(self, work):
        self._work, self._ended = work, Event()
        self._thread = Thread(target=self._run)

    def _run(self):
        while not self._ended.wait(0.1):
            self._work()

    def __enter__(self):
        self._thread.start()

    def __exit__(self, *_):
        self._ended.set()
        self._thread.join()


def test_a_change_is_noticed_once_files_rest(tmp_path):
    stop = Event()
    with Repeated(lambda: (tmp_path / "a.txt").write_text("text")):
        assert next(changes([tmp_path], stop)) >= 1
    stop.set()


def test_folders_with_names_that_are_no_utf_8_are_followed(tmp_path):
    odd = tmp_path / os.fsdecode(b"caf\xe9")
    odd.mkdir()
    stop, numbers = Event(), count()
    signals = changes([tmp_path], stop)
    with Repeated(lambda: [*odd.iterdir()]):
        assert next(signals) == 1  # it may have been a change
    with Repeated(lambda: (tmp_path / "a.txt").write_text(f"{next(numbers)}")):
        assert next(signals) >= 1
    with Repeated(lambda: (odd / "b.txt").write_text(f"{next(numbers)}")):
        assert next(signals) >= 1
    stop.set()
    assert [*signals] in ([], [1])  # what was written last


def test_other_errors_are_raised(tmp_path):
    with pytest.raises(FileNotFoundError, match="No path was found"):
        next(changes([tmp_path / "nowhere"]))
