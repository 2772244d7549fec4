"""Files -> documents: read by worker processes, written down once, then given their languages.

Two passes over what was read: the languages of a text are decided with those of the whole folder
as the prior, which is known only when all files have been read.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, field
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from dragoman.indexes.pipeline import passage_count
from dragoman.indexes.sync.comparison import SeenFile
from dragoman.indexes.sync.file_documents import FileFacts, completed, documents_of, file_id
from dragoman.indexes.sync.report import FileOutcome, FileStatus, SyncReport
from dragoman.protocols import Advance
from dragoman.text.readers.assembly import ReadReport, ReadText, read_texts
from dragoman.text.readers.contents import (
    NoReaderForFile,
    NoTextInFile,
    ReaderConfig,
    UnreadableFile,
)
from dragoman.text.readers.languages import Census
from dragoman.text.readers.pool import FileContents, ReaderPool
from dragoman.text.readers.scan import Root, ScannedFile
from dragoman.types import Document


class Task(NamedTuple):
    """A file to be read."""

    root: Root
    file: ScannedFile
    facts: FileFacts
    status: FileStatus = FileStatus.READ  # where it can be read
    copy_of: str = ""  # the id of a file with the same content


class Copy(NamedTuple):
    """A file with the content of one that is read."""

    number: int  # of the one that is read
    task: Task


@dataclass
class FolderTexts:
    """What was read of some files, on the disk; documents are made of it with their languages."""

    tasks: Sequence[Task]
    path: Path
    census: Census
    report: SyncReport
    starts: dict[int, int] = field(default_factory=dict)  # offset of a file's first text, by number
    copies: list[Copy] = field(default_factory=list)
    passages: Counter[int] = field(default_factory=Counter)  # about so many, by a file's number

    def documents(self) -> Iterator[Document]:
        """The documents of all files, in order."""
        for number in self.starts:
            yield from self._documents(number, self.tasks[number])

    def documents_of_copies(self) -> Iterator[Document]:
        """The documents of all copies."""
        for number, task in self.copies:
            yield from self._documents(number, task)

    def original(self, doc_id: str) -> list[str]:
        """The document that one of a copy is equal to."""
        name = file_id(doc_id)
        return [self._originals[name] + doc_id[len(name) :]]

    @cached_property
    def _originals(self) -> dict[str, str]:
        return {task.file.doc_id: task.copy_of for _, task in self.copies}

    def _documents(self, number: int, task: Task) -> Iterator[Document]:
        """The documents of a file, or of a copy of it; the last one is marked."""
        last: Document | None = None
        for read in self._texts(number):
            runs = self.census.runs(read.text or read.title, read.declared)
            self.report.note_uncertain(task.file.path, read.name, runs)
            self.report.note_renamed(read.metadata)
            for document in documents_of(task.root, task.file, task.facts, read, runs):
                if last is not None:
                    yield last
                last = document
        if last is not None:
            yield completed(last)

    def _texts(self, number: int) -> Iterator[ReadText]:
        with self.path.open("rb") as stream:
            stream.seek(self.starts[number])
            for line in stream:
                owner, fields = json.loads(line)
                if owner != number:
                    return
                yield ReadText(*fields)


@dataclass(frozen=True)
class FolderReader:
    """Reads files and decides their languages; what becomes of every file is reported."""

    census: Census
    config: ReaderConfig
    report: SyncReport
    seen: dict[tuple[str, str], SeenFile] = field(default_factory=dict)  # by label and id

    @contextmanager
    def texts(
        self, tasks: Sequence[Task], copies: Sequence[Copy], advance: Advance
    ) -> Iterator[FolderTexts]:
        """What some files hold; copies are not read."""
        with TemporaryDirectory(prefix="dragoman-sync-") as folder:
            texts = FolderTexts(tasks, Path(folder, "texts.jsonl"), self.census, self.report)
            with texts.path.open("wb") as stream:
                for number, read in self._texts(tasks, advance) if tasks else ():
                    self.census.count(read.text, read.declared)
                    texts.passages[number] += passage_count(len(read.text))
                    texts.starts.setdefault(number, stream.tell())
                    stream.write(json.dumps((number, astuple(read))).encode() + b"\n")
            texts.copies += [copy for copy in copies if self._copy(copy.task, tasks[copy.number])]
            yield texts

    def _copy(self, copy: Task, original: Task) -> bool:
        """Report a copy; it is as broken as the one that was read. Whether it has text."""
        kind, size = str(copy.file.file_type), copy.file.size
        seen = self.seen.get((original.root.label, original.file.doc_id))
        if seen is not None:
            seen = seen._replace(modified=copy.facts.modified)
            self.seen[copy.root.label, copy.file.doc_id] = seen
        has_text = seen is None or seen.status == FileStatus.IN_PART
        status, reason = FileStatus.COPY, seen.reason if seen else ""
        if not has_text and seen:
            status = FileStatus(seen.status)
        outcome = FileOutcome(copy.file.path, kind, status, reason, size, copy_of=copy.copy_of)
        self.report.add(outcome)
        return has_text

    def _texts(self, tasks: Sequence[Task], advance: Advance) -> Iterator[tuple[int, ReadText]]:
        """The texts of all files, each with the number of its file."""
        with ReaderPool(self.config) as pool:
            wanted = ((t.file.path, t.file.file_type) for t in tasks if t.file.file_type)
            for number, contents in enumerate(pool.read(wanted)):
                yield from ((number, read) for read in self._file(tasks[number], contents))
                advance()

    def _file(self, task: Task, contents: FileContents) -> Iterator[ReadText]:
        """The texts of one file; a broken one is reported."""
        read, texts, reason = ReadReport(), 0, ""
        try:
            for text in read_texts(contents.answers, read):
                texts += 1
                yield text
        except NoReaderForFile as error:
            status, reason = FileStatus.PASSED_OVER, str(error)
        except NoTextInFile as error:
            status, reason = FileStatus.NO_TEXT, str(error)
        except UnreadableFile as error:
            status, reason = FileStatus.IN_PART if texts else FileStatus.BROKEN, str(error)
        else:
            status = task.status if texts else FileStatus.NO_TEXT
            reason = "" if texts else _why_empty(read)
        kind, size, path = str(task.file.file_type), task.file.size, task.file.path
        decided = read.encoding, dict(read.cleaned)
        self.report.add(
            FileOutcome(path, kind, status, reason, size, texts, task.copy_of, *decided)
        )
        if reason or not texts:
            before = SeenFile(*task.facts, status=status.value, reason=reason)
            self.seen[task.root.label, task.file.doc_id] = before
        for name, skipped, why in read.skipped:
            self.report.add(FileOutcome(path / name, "inside a file", FileStatus(skipped), why))


def _why_empty(read: ReadReport) -> str:
    """Why a file that could be read has no text."""
    if read.skipped:
        return "no file inside that can be read"
    return f"nothing but {', '.join(sorted(read.cleaned))}" if read.cleaned else "no words in it"
