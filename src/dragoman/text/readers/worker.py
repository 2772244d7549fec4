"""The process that parses files: limited in memory and time, without network or secrets.

It reads one request a line, ``{"path", "type"}``, and answers with lines of JSON: ``text``,
``section``, ``decoded`` (an encoding), ``skipped`` (a file inside this one that is not read whole)
and at last ``done``, ``empty`` (with the reason), ``missing`` (an extra that is not installed) or
``failed``. Parsers of binary formats are not trusted: a file that crashes this process costs that
file only.
"""

import ctypes
import json
import os
import resource
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO, Any

from dragoman import registry
from dragoman.errors import DragomanError, MissingExtra
from dragoman.text.readers.contents import (
    Decoded,
    FileText,
    LeftOut,
    Member,
    NoTextInFile,
    ReaderConfig,
    Section,
    UnreadableFile,
)
from dragoman.text.readers.file_types import FileType, type_of

# linux/sched.h
NEW_USER_NAMESPACE, NEW_NETWORK_NAMESPACE = 0x10000000, 0x40000000
FORBIDDEN = ("socket.connect", "socket.bind", "subprocess.Popen", "os.exec", "os.posix_spawn")
LEAST_FILE = 256 << 20  # bytes; py3langid unpacks its model to a file
ALWAYS_EXPANDED = 64 << 20  # bytes that a file of any size may unpack to
LONGEST_SECTION = 1 << 16  # letters in a line of output


def main() -> None:
    """Answer requests until the input ends."""
    requests, answers = _take_streams()
    config = ReaderConfig(**json.loads(requests.readline()))
    _restrict(config)
    for line in requests:
        request = json.loads(line)
        _allow_processor_time(config.cpu_seconds)
        for answer in _answers(Path(request["path"]), request["type"], config):
            answers.write(json.dumps(answer) + "\n")
            answers.flush()


def _take_streams() -> tuple[IO[str], IO[str]]:
    """The pipes to the parent; what a parser prints goes nowhere."""
    requests, answers = os.fdopen(os.dup(0), encoding="utf-8"), os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    return requests, answers


def _restrict(config: ReaderConfig) -> None:
    """Give up memory beyond the limit, large files, core dumps and the network."""
    _limit(resource.RLIMIT_CORE, 0)
    _limit(resource.RLIMIT_AS, config.memory_bytes)
    _limit(resource.RLIMIT_FSIZE, max(config.expanded_bytes, LEAST_FILE))
    if sys.platform == "linux":  # where it is not allowed, the hook below still refuses
        ctypes.CDLL(None).unshare(NEW_USER_NAMESPACE | NEW_NETWORK_NAMESPACE)

    def refuse(event: str, _: tuple[Any, ...]) -> None:
        if event in FORBIDDEN:
            raise PermissionError(f"a parser of files may not use {event}")

    sys.addaudithook(refuse)


def _limit(kind: int, most: int) -> None:
    """Set a limit for good; one of the user's own may be lower."""
    lowest = _within_users_own(kind, most)
    resource.setrlimit(kind, (lowest, lowest))


def _within_users_own(kind: int, most: int) -> int:
    _, hard = resource.getrlimit(kind)
    return most if hard == resource.RLIM_INFINITY else min(most, hard)


def _allow_processor_time(seconds: int) -> None:
    used = resource.getrusage(resource.RUSAGE_SELF)
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    spent = int(used.ru_utime + used.ru_stime) + 1
    allowed = _within_users_own(resource.RLIMIT_CPU, spent + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (allowed, hard))


def _answers(path: Path, file_type: str, config: ReaderConfig) -> Iterator[dict[str, Any]]:
    try:
        budget = Budget(_for_size(config, path.stat().st_size))
        yield from _contents(path, FileType(file_type), "", 0, budget)
    except NoTextInFile as error:
        yield {"empty": str(error)}
    except MissingExtra as error:
        yield {"missing": str(error)}
    except (UnreadableFile, DragomanError, MemoryError) as error:
        yield {"failed": str(error) or "more than fits in memory"}
    except Exception as error:  # noqa: BLE001 - any error of a parser is a fault of the file
        yield {"failed": f"{type(error).__name__}: {error}"}
    else:
        yield {"done": True}


def _for_size(config: ReaderConfig, size: int) -> ReaderConfig:
    """The limits of a file of so many bytes, so that a small one does not unpack to very much."""
    most = max(size * config.expansion, ALWAYS_EXPANDED)
    return replace(config, expanded_bytes=min(config.expanded_bytes, most))


class OverBudget(UnreadableFile):
    """A file that holds more than its limits allow, however it is packed."""


class Budget:
    """What is left of a file's config."""

    def __init__(self, config: ReaderConfig) -> None:
        self.config = config
        self._letters, self._members = config.expanded_bytes, config.members
        self._unpacked = config.expanded_bytes

    def spend_text(self, letters: int) -> None:
        """Count text that was read."""
        self._letters -= letters
        if self._letters < 0:
            raise OverBudget(f"more than {self.config.expanded_bytes:,} letters of text")

    def spend_member(self, size: int) -> None:
        """Count a file inside the file and its bytes, however deep it is packed."""
        self._members, self._unpacked = self._members - 1, self._unpacked - size
        if self._unpacked < 0:
            raise OverBudget(f"more than {self.config.expanded_bytes:,} bytes in one file")
        if self._members < 0:
            raise OverBudget(f"more than {self.config.members:,} files in one")


def _contents(
    path: Path, file_type: FileType, inside: str, depth: int, budget: Budget
) -> Iterator[dict[str, Any]]:
    """The answers for one file and, in turn, for the files inside it."""
    read = registry.find(registry.FILE_READERS, file_type.value, "file type")
    for content in read(path, budget.config):
        match content:
            case FileText():
                name = "/".join(filter(None, (inside, content.name)))
                yield {"text": {**asdict(content), "name": name, "type": file_type.value}}
            case Section():
                for start in range(0, len(content.text), LONGEST_SECTION):
                    cut = content.text[start : start + LONGEST_SECTION]
                    budget.spend_text(len(cut))
                    yield {"section": {**asdict(content), "text": cut}}
            case Decoded():
                yield {"decoded": content.encoding}
            case LeftOut():
                name = "/".join(filter(None, (inside, content.name)))
                yield _skipped(name, "passed over", content.reason)
            case Member():
                own = content.name or Path(inside or path).stem  # of a single packed file
                name = "/".join(filter(None, (inside, own)))
                try:
                    budget.spend_member(content.path.stat().st_size)
                    yield from _member(content.path, name, depth + 1, budget)
                finally:
                    content.path.unlink(missing_ok=True)


def _member(path: Path, name: str, depth: int, budget: Budget) -> Iterator[dict[str, Any]]:
    if depth > budget.config.depth:
        yield _skipped(name, "passed over", f"packed more than {depth - 1} times")
        return
    file_type = type_of(path, Path(name).name)
    if file_type.is_passed_over:
        yield _skipped(name, "passed over", file_type.value)
        return
    status = "broken"
    try:
        for answer in _contents(path, file_type, name, depth, budget):
            status = "read in part" if "section" in answer else status
            yield answer
    except (OverBudget, MemoryError):
        raise
    except NoTextInFile as error:
        yield _skipped(name, "without text", str(error))
    except MissingExtra as error:
        yield _skipped(name, "passed over", str(error))
    except (UnreadableFile, DragomanError) as error:
        yield _skipped(name, status, str(error))
    except Exception as error:  # noqa: BLE001 - any error of a parser is a fault of the member
        yield _skipped(name, status, f"{type(error).__name__}: {error}")


def _skipped(name: str, status: str, reason: str) -> dict[str, Any]:
    return {"skipped": {"name": name, "status": status, "reason": reason}}


if __name__ == "__main__":
    main()
