"""One process owns an embedded index at a time; the second is told who the first is."""

import fcntl
import os
import time
from pathlib import Path
from typing import IO

from dragoman.errors import IndexFault

LOCK = "lock"


class Lock:
    """An advisory lock on a folder, gone with the process that holds it, however it ends."""

    def __init__(self, folder: Path, patience: float) -> None:
        self._stream: IO[str] = (folder / LOCK).open("a+", encoding="utf-8")
        deadline = time.monotonic() + patience
        while not self._taken():
            if time.monotonic() >= deadline:
                self._stream.seek(0)
                owner = self._stream.read().strip() or "another process"
                self._stream.close()
                raise IndexFault(
                    f"{folder}: in use by {owner}; expected an index that nobody has open."
                    " Wait for it to end, or ask it through `dragoman serve`."
                )
            time.sleep(0.05)
        self._stream.truncate(0)
        self._stream.write(f"process {os.getpid()}")
        self._stream.flush()

    def _taken(self) -> bool:
        try:
            fcntl.flock(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def release(self) -> None:
        """Let the next one in."""
        self._stream.close()
