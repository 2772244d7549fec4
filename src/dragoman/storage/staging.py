"""Staged writes: a file or folder appears under its name only when all of it is written.

Writes go to a hidden name in the same folder and are renamed at the end. A killed process leaves
the earlier content in place, and at most a leftover whose name starts with a dot; the next write
uses another name.
"""

import errno
import gzip
import io
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import zstandard

from dragoman.errors import OutputError
from dragoman.storage.folders import exchange

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def staged_file(path: Path, mode: int = 0o644) -> Iterator[Path]:
    """An empty file that replaces ``path`` when the block ends without an error.

    A full disk is an ``OutputError`` that names ``path``.
    """
    with _naming(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        os.close(handle)
        staged = Path(name)
        try:
            yield staged
            staged.chmod(mode)
            staged.replace(path)
        except BaseException:
            staged.unlink(missing_ok=True)
            raise


@contextmanager
def staged_folder(target: Path) -> Iterator[Path]:
    """An empty folder that replaces ``target`` when the block ends without an error.

    A full disk is an ``OutputError`` that names ``target``.
    """
    with _naming(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        staged = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
        staged.chmod(0o755)
        try:
            yield staged
            old = exchange(staged, target)
        except BaseException:
            shutil.rmtree(staged, ignore_errors=True)
            raise
        if old is not None:
            shutil.rmtree(old, ignore_errors=True)


@contextmanager
def _naming(path: Path) -> Iterator[None]:
    """Raise the error of a full disk with the name of the output, which is as it was before."""
    try:
        yield
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise OutputError(
            path, found=f"no room on its disk ({error.strerror})", expected="room to write it"
        ) from error


@contextmanager
def write_lines(path: Path) -> Iterator[IO[str]]:
    """A staged UTF-8 text file, compressed by its ending (.gz, .zst).

    The same lines give the same bytes: archives hold no name and no time.
    """
    with staged_file(path) as staged, staged.open("wb") as raw:
        if path.suffix == ".gz":
            with (
                gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0) as packed,
                io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as stream,
            ):
                yield stream
        elif path.suffix == ".zst":
            with (
                zstandard.ZstdCompressor(write_checksum=True).stream_writer(
                    raw, closefd=False
                ) as packed_zst,
                io.TextIOWrapper(packed_zst, encoding="utf-8", newline="\n") as stream,
            ):
                yield stream
        else:
            with io.TextIOWrapper(raw, encoding="utf-8", newline="\n") as stream:
                yield stream
