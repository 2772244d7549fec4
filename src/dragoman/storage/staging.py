"""Staged writes: a file or folder appears under its name only when all of it is written.

Writes go to a hidden name in the same folder and are renamed at the end. A killed process leaves
the earlier content in place, and at most a leftover whose name starts with a dot; the next write
uses another name.
"""

import gzip
import io
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import zstandard

from dragoman.storage.folders import exchange


@contextmanager
def staged_file(path: Path) -> Iterator[Path]:
    """An empty file that replaces ``path`` when the block ends without an error."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(prefix=f".{path.name}.", dir=path.parent, delete=False) as new:
        staged = Path(new.name)
    try:
        yield staged
        staged.chmod(0o644)
        staged.replace(path)
    except BaseException:
        staged.unlink(missing_ok=True)
        raise


@contextmanager
def staged_folder(target: Path) -> Iterator[Path]:
    """An empty folder that replaces ``target`` when the block ends without an error."""
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
