"""Data of tasks on disk, flushed before a task is accepted; removed when it has ended.

SPOOL/ID/files.json          of files: name, size and digest of each
SPOOL/ID/00000               the files, by number: no name of a client is a path here
SPOOL/ID/documents.jsonl     of documents: one a line
"""

import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from dragoman.storage.folders import flush, flush_tree
from dragoman.types import Document

SPOOL = "spool"
FILES, DOCUMENTS = "files.json", "documents.jsonl"
UNFINISHED = ".part"
RESERVE = 64 << 20  # bytes of the disk that uploads leave free


@dataclass(frozen=True, slots=True)
class SpooledFile:
    """An uploaded file; ``digest`` is the one that ``sync`` compares files by."""

    name: str
    size: int
    digest: str


class TaskSpool:
    """The folder for the data of an index's tasks."""

    def __init__(self, state: Path) -> None:
        self.folder = state / SPOOL
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def has_room(self, size: int) -> bool:
        """Whether the disk has room for so many bytes."""
        return shutil.disk_usage(self.folder).free >= size + RESERVE

    def begin(self, task_id: str) -> "SpoolWriter":
        """The data of a new task, which is nowhere listed until it is finished."""
        return SpoolWriter(self.folder, task_id)

    def path(self, task_id: str) -> Path:
        """The folder of a task."""
        return self.folder / task_id

    def files(self, task_id: str) -> list[tuple[Path, SpooledFile]]:
        """The files of a task, in their order."""
        folder = self.path(task_id)
        rows = json.loads((folder / FILES).read_text(encoding="utf-8"))
        return [(folder / _number(n), SpooledFile(**row)) for n, row in enumerate(rows)]

    def documents(self, task_id: str) -> Iterator[Document]:
        """The documents of a task, in their order."""
        with (self.path(task_id) / DOCUMENTS).open(encoding="utf-8") as stream:
            for line in stream:
                yield Document(**json.loads(line))

    def remove(self, task_id: str) -> None:
        """Remove the data of a task that has ended."""
        shutil.rmtree(self.path(task_id), ignore_errors=True)

    def sweep(self, needed: Iterable[str]) -> None:
        """Remove what a killed process left: data that was never accepted or has been used."""
        listed = {*needed}
        for folder in self.folder.iterdir():
            if folder.name not in listed:
                shutil.rmtree(folder, ignore_errors=True)


class SpoolWriter:
    """The data of one task while it is received; leaving the block unfinished removes it."""

    def __init__(self, spool: Path, task_id: str) -> None:
        self.task_id = task_id
        self._target = spool / task_id
        self.folder = spool / f"{task_id}{UNFINISHED}"
        self.folder.mkdir(mode=0o700)
        self._files: list[SpooledFile] = []
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> "SpoolWriter":
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def count(self) -> int:
        """How many files have begun."""
        return len(self._files) + (self._stream is not None)

    def open_file(self, name: str) -> None:
        """Begin a file."""
        assert self._stream is None
        self._name, self._size = name, 0
        self._digest = hashlib.blake2b(digest_size=16)
        self._stream = (self.folder / _number(len(self._files))).open("wb")

    def write(self, data: bytes) -> None:
        """Write more of the file."""
        assert self._stream is not None
        self._stream.write(data)
        self._digest.update(data)
        self._size += len(data)

    def close_file(self) -> None:
        """End the file."""
        assert self._stream is not None
        self._stream.close()
        self._stream = None
        self._files.append(SpooledFile(self._name, self._size, self._digest.hexdigest()))

    def write_documents(self, documents: Iterable[Document]) -> int:
        """Write all documents of a task; returns how many."""
        count = 0
        with (self.folder / DOCUMENTS).open("w", encoding="utf-8") as stream:
            for count, document in enumerate(documents, start=1):  # noqa: B007 - read afterwards
                stream.write(json.dumps(asdict(document)) + "\n")
        return count

    def finish(self) -> None:
        """Flush everything to the disk under its final name."""
        if self._files:
            rows = [asdict(one) for one in self._files]
            (self.folder / FILES).write_text(json.dumps(rows), encoding="utf-8")
        flush_tree(self.folder)
        os.replace(self.folder, self._target)
        flush(self._target.parent)


def _number(number: int) -> str:
    return f"{number:05d}"
