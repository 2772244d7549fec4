"""Files -> documents: read by worker processes, written down once, then given their languages.

Two passes over what was read: the languages of a text are decided with those of the whole folder
as the prior, which is known only when all files have been read.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from dragoman.indexes.sync.file_documents import FileFacts, completed, documents_of
from dragoman.indexes.sync.report import FileOutcome, FileStatus, SyncReport
from dragoman.protocols import Advance
from dragoman.text.readers.assembly import ReadReport, ReadText, read_texts
from dragoman.text.readers.contents import NoTextInFile, ReaderConfig, UnreadableFile
from dragoman.text.readers.languages import Census
from dragoman.text.readers.pool import FileContents, ReaderPool
from dragoman.text.readers.scan import Root, ScannedFile
from dragoman.types import Document


class Task(NamedTuple):
    """A file to be read."""

    root: Root
    file: ScannedFile
    facts: FileFacts


@dataclass(frozen=True)
class FolderReader:
    """Reads files and decides their languages; what becomes of every file is reported."""

    census: Census
    config: ReaderConfig
    report: SyncReport

    @contextmanager
    def documents(self, tasks: Sequence[Task], advance: Advance) -> Iterator[Iterator[Document]]:
        """The documents of files, in their order, each with its language."""
        with TemporaryDirectory(prefix="dragoman-sync-") as folder:
            spool = Path(folder, "texts.jsonl")
            with spool.open("w", encoding="utf-8") as stream:
                for number, read in self._texts(tasks, advance):
                    self.census.count(read.text, read.declared)
                    stream.write(json.dumps((number, astuple(read))) + "\n")
            yield _with_last_marked(self._documents(tasks, spool))

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
        except NoTextInFile as error:
            status, reason = FileStatus.NO_TEXT, str(error)
        except UnreadableFile as error:
            status, reason = FileStatus.IN_PART if texts else FileStatus.BROKEN, str(error)
        else:
            status = FileStatus.READ if texts else FileStatus.NO_TEXT
        kind = str(task.file.file_type)
        self.report.add(FileOutcome(task.file.path, kind, status, reason, task.file.size, texts))
        self.report.left_out.update(read.cleaned)
        for name, skipped, why in read.skipped:
            inside = task.file.path / name
            self.report.add(FileOutcome(inside, "inside a file", FileStatus(skipped), why))

    def _documents(self, tasks: Sequence[Task], spool: Path) -> Iterator[tuple[int, Document]]:
        with spool.open(encoding="utf-8") as stream:
            for line in stream:
                number, fields = json.loads(line)
                read, task = ReadText(*fields), tasks[number]
                runs = self.census.runs(read.text, read.declared)
                self.report.count_languages(task.file.path, runs)
                for document in documents_of(task.root, task.file, task.facts, read, runs):
                    yield number, document


def _with_last_marked(documents: Iterable[tuple[int, Document]]) -> Iterator[Document]:
    """Documents with the numbers of their files -> documents, the last of each file marked."""
    last: tuple[int, Document] | None = None
    for number, document in documents:
        if last is not None:
            yield completed(last[1]) if last[0] != number else last[1]
        last = number, document
    if last is not None:
        yield completed(last[1])


def tasks_of(root: Root, chosen: Iterable[tuple[ScannedFile, FileFacts]]) -> list[Task]:
    """The files of one root that are to be read."""
    return [Task(root, file, facts) for file, facts in chosen]
