"""The process that runs a service's tasks, at low priority: searches do not share its lock.

Lines of JSON come in, ``{"run": ID}`` and ``{"cancel": ID}``, and ``{"ended": ID}`` goes out. All
else is in the task store, and the index is changed as by any other process: the service notices the
commits. When the input ends, so does the process.
"""

import json
import logging
import os
import sys
from pathlib import Path
from queue import SimpleQueue
from threading import Event, Thread, Timer

from dragoman.errors import DragomanError, IndexFault, UserError
from dragoman.indexes.index import Index
from dragoman.indexes.lock import IndexBusy, Lock
from dragoman.indexes.store import StoreReplaced
from dragoman.service.logs import JsonLines
from dragoman.service.tasks.addition import Addition, TaskStopped, add_documents
from dragoman.service.tasks.file_addition import add_files
from dragoman.service.tasks.spool import TaskSpool
from dragoman.service.tasks.store import StoredTask, TaskKind, TaskState, TaskStore
from dragoman.storage.database import StorageError

NICENESS = 10
LOCK_FOLDER = "runner"
PATIENCE = 30.0  # seconds that a new process waits for one of a killed service
GRACE = 5.0  # seconds that a stopped task has to come to an end

log = logging.getLogger("dragoman.service")


class Commands:
    """What the service wants: tasks to run, and one to stop."""

    def __init__(self) -> None:
        self.tasks: SimpleQueue[str | None] = SimpleQueue()
        self.stop = Event()
        self._running = ""

    def listen(self) -> None:
        """Read lines until the input ends, which stops everything."""
        for line in sys.stdin:
            command = json.loads(line)
            if "run" in command:
                self.tasks.put(command["run"])
            elif command.get("cancel") == self._running:
                self.stop.set()
        self.stop.set()
        self.tasks.put(None)
        ending = Timer(GRACE, os._exit, (0,))
        ending.daemon = True
        ending.start()

    def next_task(self) -> str | None:
        """The id of the next task; None at the end."""
        task_id = self.tasks.get()
        if task_id is not None:
            self.stop.clear()
            self._running = task_id
        return task_id


class Runner:
    """Runs tasks, one after the other."""

    def __init__(self, folder: Path, state: Path, stop: Event) -> None:
        self.index = Index(folder)
        self.store, self.spool = TaskStore(state), TaskSpool(state)
        self._state, self._stop = state, stop

    def run(self, task: StoredTask) -> None:
        """Run a task; its state afterwards is in the store."""
        addition = Addition(self.index, self.store, self._state, task, self._stop)
        try:
            if task.kind is TaskKind.FILES:
                add_files(addition, self.spool)
            else:
                add_documents(addition, self.spool.documents(task.task_id))
        except TaskStopped:
            return  # the service knows why
        except (IndexBusy, StoreReplaced) as error:
            self.store.wait_again(task, str(error), blameless=True)
        except StorageError as error:
            log.error("task %s waits: %s", task.task_id, error)
            reason = "The disk refused a write; the task is tried again."
            self.store.wait_again(task, reason, blameless=True)
        except DragomanError as error:
            log.error("task %s failed: %s", task.task_id, error)
            is_ours = isinstance(error, IndexFault) or not isinstance(error, UserError)
            reason = "The index refused it; the log of the service has the reason."
            self.store.finish(task, TaskState.FAILED, reason if is_ours else str(error))
        else:
            self.store.finish(task, TaskState.DONE)

    def close(self) -> None:
        """Wait for a merge and close the files."""
        self.index.close()
        self.store.close()


def main() -> None:
    """Run tasks until the input ends."""
    folder, state = Path(sys.argv[1]), Path(sys.argv[2])
    os.nice(NICENESS)
    commands = Commands()
    Thread(target=commands.listen, daemon=True).start()
    (state / LOCK_FOLDER).mkdir(exist_ok=True)
    with Lock(state / LOCK_FOLDER, PATIENCE):
        runner = Runner(folder, state, commands.stop)
        while (task_id := commands.next_task()) is not None:
            task = runner.store.get(task_id)
            if task is not None and task.state is TaskState.RUNNING:
                runner.run(task)
            sys.stdout.write(json.dumps({"ended": task_id}) + "\n")
            sys.stdout.flush()
        runner.close()


if __name__ == "__main__":
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines())
    log.addHandler(handler)
    main()
