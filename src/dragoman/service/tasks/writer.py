"""All writes of a service to one index, in one order: tasks, and documents one by one.

A document that is written while tasks wait or run overtakes them: it is in the index when its
request is answered, and the tasks leave its id out, as if it had been written after them.
"""

import logging
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from threading import BoundedSemaphore, Condition, Thread
from typing import TypeVar

from dragoman.errors import ConfigError, DragomanError
from dragoman.indexes.index import Index
from dragoman.indexes.lock import Lock, try_lock
from dragoman.service.tasks.runner_process import IDLE_SECONDS, RunnerLost, RunnerProcess
from dragoman.service.tasks.spool import TaskSpool
from dragoman.service.tasks.store import StoredTask, TaskState, TaskStore
from dragoman.types import Document

log = logging.getLogger(__name__)

SERVICE_LOCK = "service.lock"
PATIENCE = 30.0  # seconds that a direct write waits for a batch of a task
MOST_ATTEMPTS = 3  # of a task whose process ends
PAUSE = 1.0  # seconds until the next look for tasks, unless one is accepted
RETRY_SECONDS = 10.0  # before a task that had to wait is tried again
MOST_WAITING = 64  # direct writes

T = TypeVar("T")


class WriterFull(Exception):
    """More direct writes wait than are taken."""


class Writer:
    """The writer of one index, with the thread that has tasks run."""

    def __init__(self, index: Index, state: Path) -> None:
        state.mkdir(parents=True, exist_ok=True, mode=0o700)
        self.index, self.state = index, state.resolve()  # readers run in another folder
        self._held = ExitStack()
        if not self._held.enter_context(try_lock(state / SERVICE_LOCK)):
            self._held.close()
            raise ConfigError(
                f"{state}: another service writes to {index.folder}; expected one. Stop it, or give"
                " this one a folder of its own: --state DIR"
            )
        self.store, self.spool = TaskStore(self.state), TaskSpool(self.state)
        self._direct = ThreadPoolExecutor(1, "writer")
        self._places = BoundedSemaphore(MOST_WAITING)
        self._runner = RunnerProcess(index.folder.resolve(), self.state)
        self._changed, self._closing = Condition(), False
        self._recover()
        self._thread = Thread(target=self._run_tasks, name="tasks", daemon=True)
        self._thread.start()

    def _recover(self) -> None:
        """Take up what a killed service left."""
        for number, doc_id, document in self.store.unsettled():
            self._apply(doc_id, document)
            self.store.settle(number, applied=True)
        for task in self.store.running():
            self._lost(task, "The service ended while the task ran.")
        self.spool.sweep(self.store.active_ids())

    def put(self, document: Document) -> "Future[bool]":
        """Add or replace a document; it is on the disk when the future is done."""
        return self._submit(lambda: self._write(document.doc_id, document))

    def delete(self, doc_id: str) -> "Future[bool]":
        """Delete a document; the result is whether it existed."""
        return self._submit(lambda: self._write(doc_id, None))

    def _submit(self, work: Callable[[], T]) -> "Future[T]":
        if not self._places.acquire(blocking=False):
            raise WriterFull
        future = self._direct.submit(work)
        future.add_done_callback(lambda _: self._places.release())
        return future

    def _write(self, doc_id: str, document: Document | None) -> bool:
        with Lock(self.state, PATIENCE):
            number = self.store.overtake(doc_id, document)
            if number is None:
                return self._apply(doc_id, document)
            try:
                result = self._apply(doc_id, document)
            except BaseException:
                self.store.settle(number, applied=False)
                raise
            self.store.settle(number, applied=True)
            return result

    def _apply(self, doc_id: str, document: Document | None) -> bool:
        if document is None:
            return self.index.delete([doc_id]) > 0
        return self.index.add([document]) > 0

    def wake(self) -> None:
        """Look for tasks: one has been accepted."""
        with self._changed:
            self._changed.notify_all()

    def cancel(self, task: StoredTask) -> bool:
        """Whether a task that had not ended is cancelled; what it has added stays."""
        if not self.store.finish(task, TaskState.CANCELLED):
            return False
        self._runner.cancel(task.task_id)
        if task.state is TaskState.QUEUED:
            self.spool.remove(task.task_id)
        return True

    def _run_tasks(self) -> None:
        last = time.monotonic()
        while not self._closing:
            try:
                if self._run_next(time.monotonic() - last):
                    last = time.monotonic()
                    continue
            except (DragomanError, OSError) as error:  # tasks wait for the disk
                log.error("tasks wait: %s", error)
            if time.monotonic() > last + IDLE_SECONDS:
                self._runner.stop()
            with self._changed:
                if not self._closing:
                    self._changed.wait(PAUSE)

    def _run_next(self, since: float) -> bool:
        """Whether a task was run; ``since`` are the seconds since the last one."""
        for unended in self.store.running():  # whose end a full disk did not record
            self._lost(unended, "The end of the task could not be recorded.")
        task = self.store.waiting()
        if task is None or (task.reason and since < RETRY_SECONDS) or not self.spool.has_room(0):
            return False
        if self.store.begin(task):
            self._run(task)
        return True

    def _run(self, task: StoredTask) -> None:
        try:
            self._runner.run(task.task_id)
        except RunnerLost as error:
            if self._closing:
                self.store.wait_again(task, "", blameless=True)
            else:
                log.error("task %s: %s", task.task_id, error)
                self._lost(self.store.get(task.task_id) or task, str(error))
        now = self.store.get(task.task_id)
        if now is None or now.state.is_final:
            self.spool.remove(task.task_id)

    def _lost(self, task: StoredTask, reason: str) -> None:
        """Have a task whose process ended run again, unless it did so often."""
        if task.attempts >= MOST_ATTEMPTS:
            self.store.finish(
                task, TaskState.FAILED, f"{reason} It was tried {task.attempts} times."
            )
        else:
            self.store.wait_again(task, reason, blameless=False)

    def close(self) -> None:
        """End after the direct writes that wait; tasks go on with the next service."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._runner.end_input()
        self._direct.shutdown(wait=True)
        self._thread.join()
        self._runner.stop()
        self.store.close()
        self._held.close()
