"""What became of every file of a sync: a table by format for people, lines of JSON for programs."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path

from dragoman.indexes.sync.file_documents import own_name
from dragoman.text.readers.languages import LanguageRun

SURROGATE = re.compile(r"[\ud800-\udfff]")


class FileStatus(StrEnum):
    """What became of a file."""

    READ = "read"
    IN_PART = "read in part"
    UNCHANGED = "unchanged"
    MOVED = "moved"
    COPY = "copy"
    PASSED_OVER = "passed over"
    NO_TEXT = "without text"
    BROKEN = "broken"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class FileOutcome:
    """One file."""

    path: Path
    format: str
    status: FileStatus
    reason: str = ""
    size: int = 0
    texts: int = 0
    copy_of: str = ""  # the id of a file with the same content
    encoding: str = ""  # that a text was decoded by, unless UTF-8
    left_out: Mapping[str, int] = field(default_factory=dict)  # reason -> letters


@dataclass(slots=True)
class SyncReport:
    """All files of a sync, and what was decided about their texts."""

    files: list[FileOutcome] = field(default_factory=list)
    uncertain: dict[Path, dict[str, str]] = field(
        default_factory=dict
    )  # file -> texts in it ("": itself) -> the language taken
    renamed: dict[str, str] = field(
        default_factory=dict
    )  # field of a text -> its name in the index
    added: int = 0  # documents
    deleted: int = 0

    def add(self, outcome: FileOutcome) -> None:
        """Take a file into account."""
        self.files.append(outcome)

    def note_uncertain(self, path: Path, name: str, runs: Sequence[LanguageRun]) -> None:
        """Note a text of a file whose language was taken from others."""
        for run in runs:
            if not run.certain:
                self.uncertain.setdefault(path, {})[name] = run.language

    def note_renamed(self, fields: Iterable[str]) -> None:
        """Note fields that are stored under another name, because the file has one of theirs."""
        self.renamed.update({one: own_name(one) for one in fields if own_name(one) != one})

    @property
    def left_out(self) -> Counter[str]:
        """How many letters were left out for which reason."""
        return sum((Counter(file.left_out) for file in self.files), Counter[str]())

    def by_format(self) -> dict[str, Counter[FileStatus]]:
        """How many files of each format have which status."""
        counts: dict[str, Counter[FileStatus]] = {}
        for file in self.files:
            counts.setdefault(file.format, Counter())[file.status] += 1
        return dict(sorted(counts.items()))

    def reasons(self) -> list[tuple[tuple[FileStatus, str], list[Path]]]:
        """Which files were not read for which reason, the most frequent first."""
        paths: dict[tuple[FileStatus, str], list[Path]] = {}
        for file in self.files:
            if file.reason or file.status is FileStatus.NO_TEXT:
                paths.setdefault((file.status, file.reason), []).append(file.path)
        return sorted(paths.items(), key=lambda item: (-len(item[1]), item[0]))

    def encodings(self) -> dict[str, list[Path]]:
        """Files that were decoded otherwise than as UTF-8, by encoding, the most frequent first."""
        paths: dict[str, list[Path]] = {}
        for file in self.files:
            if file.encoding:
                paths.setdefault(file.encoding, []).append(file.path)
        return dict(sorted(paths.items(), key=lambda item: (-len(item[1]), item[0])))

    def lines(self) -> Iterator[str]:
        """One line of JSON for each file; bytes of a path that are no UTF-8 are escapes in it."""
        for file in self.files:
            fields = {
                **asdict(file),
                "path": str(file.path),
                "uncertain": self.uncertain.get(file.path, {}),
            }
            line = json.dumps(fields, ensure_ascii=False)
            yield SURROGATE.sub(lambda one: f"\\u{ord(one[0]):04x}", line)
