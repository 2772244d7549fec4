"""What a reader yields: texts, their sections, and files inside a file."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

Value = str | int | float | bool | list[str]  # what metadata may hold


@dataclass(frozen=True, slots=True)
class FileText:
    """The beginning of a text; most files hold one.

    ``name`` identifies one of several texts in a file (a row, a message), and is empty otherwise.
    """

    name: str = ""
    title: str = ""
    language: str = ""  # as declared in the file, unchecked
    metadata: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Section:
    """Some consecutive text; ``page`` counts from 1 and is 0 where the format has no pages."""

    text: str
    page: int = 0
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Member:
    """A file inside a file: what an archive packs, what a mail has attached.

    ``path`` is a temporary copy, which the caller removes.
    """

    name: str
    path: Path


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Files inside a file that are not read, under the name of the first of them."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Decoded:
    """The encoding that the bytes of a text were found to be in, where it is not UTF-8."""

    encoding: str


Content = FileText | Section | Member | LeftOut | Decoded


@dataclass(frozen=True, slots=True)
class ReaderConfig:
    """How much one file may cost, with everything that is packed in it, and what tables hold."""

    text_field: str = ""  # the column, or columns joined by commas, that is the text of a row
    title_field: str = ""
    file_bytes: int = 4 << 30
    expanded_bytes: int = 4 << 30  # of archives and zipped documents
    expansion: int = 200  # times its own size, beyond a size that is always allowed
    members: int = 10_000  # files in an archive, entries of a zipped document
    depth: int = 3  # archives inside archives
    memory_bytes: int = 2 << 30  # of the worker process
    cpu_seconds: int = 600
    stall_seconds: float = 60.0  # without any output


class UnreadableFile(Exception):
    """A file that its reader cannot read; the message completes "found ..."."""


class NoReaderForFile(Exception):
    """A file whose reader is not installed; the message says how to install it."""


class NoTextInFile(Exception):
    """A whole file without text to search; the message says why."""


class Reader(Protocol):
    """Reads one type of file."""

    def __call__(self, path: Path, config: ReaderConfig) -> Iterator[Content]:
        """The contents of a file, in order."""
        ...
