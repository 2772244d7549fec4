"""File locks between processes; the system releases them however a process ends."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Self

from dragoman.errors import IndexFault

LOCK = "lock"
PAUSE = 0.01  # seconds between two tries


class IndexBusy(IndexFault):
    """Another process has been writing for longer than this one waits."""


class Lock:
    """The right to write to a folder; a second process waits, then gets an error with the owner."""

    def __init__(self, folder: Path, patience: float) -> None:
        # unbuffered: ``close`` must not retry a write that a full disk refused
        self._stream: IO[bytes] = (folder / LOCK).open("a+b", buffering=0)
        deadline = time.monotonic() + patience
        while not _try(self._stream):
            if time.monotonic() >= deadline:
                self._stream.seek(0)
                owner = self._stream.read().decode(errors="replace").strip() or "another process"
                self._stream.close()
                raise IndexBusy(
                    f"{folder}: {owner} is writing to it, for {patience:g} seconds so far; expected"
                    " an index that no other process writes to. Wait for that process to end and"
                    " try again."
                )
            time.sleep(PAUSE)
        with suppress(OSError):  # a full disk: the lock is held all the same
            self._stream.truncate(0)
            self._stream.write(f"process {os.getpid()}".encode())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    def release(self) -> None:
        """Release the lock."""
        self._stream.close()


@contextmanager
def try_lock(path: Path) -> Iterator[bool]:
    """Whether the lock was free; it is then held while the block runs."""
    with path.open("a+b", buffering=0) as stream:
        yield _try(stream)


def _try(stream: IO[bytes]) -> bool:
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
