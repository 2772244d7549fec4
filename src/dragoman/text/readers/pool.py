"""Paths -> what their files hold, parsed by several worker processes, in the order of the paths.

A worker that crashes, hangs or outgrows its config is replaced; its file is reported as broken.
"""

import json
import os
import select
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from queue import Full, Queue
from tempfile import TemporaryDirectory
from threading import Event, Thread
from types import TracebackType
from typing import Any, NamedTuple, Self

from dragoman.processors import cores
from dragoman.text.readers.contents import (
    NoReaderForFile,
    NoTextInFile,
    ReaderConfig,
    UnreadableFile,
)
from dragoman.text.readers.file_types import FileType

PACKAGES = str(Path(__file__).parents[3])  # the folder that this package is imported from
PASSED_ON = ("PATH", "LANG", "LC_ALL", "SYSTEMROOT")  # of the environment
WAITING = 64  # answers of a file that wait for their turn
CHUNK = 1 << 16

FILE_ERRORS = (NoReaderForFile, NoTextInFile, UnreadableFile)
Answer = dict[str, Any]  # a line of the worker, see ``worker``


class Worker:
    """One worker process; started when first needed, and again after it was lost."""

    def __init__(self, config: ReaderConfig, scratch: Path) -> None:
        self._limits, self._scratch = config, scratch
        self._process: subprocess.Popen[bytes] | None = None
        self._unread = b""

    def read(self, path: Path, file_type: FileType) -> Iterator[Answer]:
        """The answers for one file; an error of ``FILE_ERRORS`` at its end where it has one."""
        self._send({"path": str(path), "type": file_type.value})
        while True:
            answer = json.loads(self._line())
            if "failed" in answer:
                self.stop()  # memory of a parser that failed is not trusted
                raise UnreadableFile(answer["failed"])
            if "empty" in answer:
                raise NoTextInFile(answer["empty"])
            if "missing" in answer:
                raise NoReaderForFile(answer["missing"])
            if "done" in answer:
                return
            yield answer

    def _send(self, request: Answer) -> None:
        if self._process is None or self._process.poll() is not None:
            self._start()
        self._write(request)

    def _start(self) -> None:
        environment = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        self._unread, scratch = b"", str(self._scratch)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "dragoman.text.readers.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._scratch,
            env={
                **environment,
                "PYTHONPATH": PACKAGES,
                "TMPDIR": scratch,
                "HOME": scratch,
                "OPENPYXL_LXML": "False",  # one parser of XML, whatever is installed
            },
            start_new_session=True,
        )
        self._write(asdict(self._limits))

    def _write(self, message: Answer) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        line = json.dumps(message).encode("utf-8", "surrogateescape")
        try:
            self._process.stdin.write(line + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError as error:
            self.stop()
            raise UnreadableFile("its parser ended at once") from error

    def _line(self) -> bytes:
        assert self._process is not None
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        while b"\n" not in self._unread:
            ready, _, _ = select.select([pipe], [], [], self._limits.stall_seconds)
            if not ready:
                self.stop()
                raise UnreadableFile(
                    f"nothing within {self._limits.stall_seconds:.0f} seconds of parsing"
                )
            data = os.read(pipe, CHUNK)
            if not data:
                status = self._process.wait()
                self.stop()
                raise UnreadableFile(f"a parser that ended with status {status}")
            self._unread += data
        line, _, self._unread = self._unread.partition(b"\n")
        return line

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None


class FileContents(NamedTuple):
    """A file on its way through the pool."""

    path: Path
    answers: Iterator[Answer]  # raises one of ``FILE_ERRORS``


class _Job(NamedTuple):
    path: Path
    file_type: FileType
    answers: Queue[Answer | Exception | None]  # None ends them


class ReaderPool:
    """Worker processes that read files ahead of the one whose contents are taken."""

    def __init__(self, config: ReaderConfig | None = None, workers: int = 0) -> None:
        self._limits, self._size = config or ReaderConfig(), workers or cores()
        self._jobs: Queue[_Job | None] = Queue()
        self._stopped = Event()
        self._threads: list[Thread] = []

    def __enter__(self) -> Self:
        self._scratch = TemporaryDirectory(prefix="dragoman-readers-")
        self._threads = [Thread(target=self._work, daemon=True) for _ in range(self._size)]
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopped.set()
        for _ in self._threads:
            self._jobs.put(None)
        for thread in self._threads:
            thread.join()
        self._scratch.cleanup()

    def read(self, files: Iterable[tuple[Path, FileType]]) -> Iterator[FileContents]:
        """The contents of files in their order; take those of one before the next."""
        stream, waiting = iter(files), deque[_Job]()
        while True:
            while len(waiting) <= 2 * self._size and (following := next(stream, None)):
                job = _Job(*following, Queue(WAITING))
                waiting.append(job)
                self._jobs.put(job)
            if not waiting:
                return
            job = waiting.popleft()
            yield FileContents(job.path, _taken(job))

    def _work(self) -> None:
        worker = Worker(self._limits, Path(self._scratch.name))
        try:
            while (job := self._jobs.get()) is not None and not self._stopped.is_set():
                try:
                    for answer in worker.read(job.path, job.file_type):
                        self._hand_over(job, answer)
                    self._hand_over(job, None)
                except FILE_ERRORS as error:
                    self._hand_over(job, error)
        except _Stopped:
            pass
        finally:
            worker.stop()

    def _hand_over(self, job: _Job, answer: Answer | Exception | None) -> None:
        while not self._stopped.is_set():
            try:
                return job.answers.put(answer, timeout=0.2)
            except Full:
                continue
        raise _Stopped


class _Stopped(Exception):
    """The pool was closed."""


def _taken(job: _Job) -> Iterator[Answer]:
    while (answer := job.answers.get()) is not None:
        if isinstance(answer, Exception):
            raise answer
        yield answer
