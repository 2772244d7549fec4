"""The service's end of the process that runs tasks: started when needed, ended when idle."""

import json
import subprocess
import sys
from pathlib import Path
from threading import Lock

IDLE_SECONDS = 60.0  # after which the process ends and gives its memory back
STOP_SECONDS = 15.0  # that it has to end


class RunnerLost(Exception):
    """The process ended while it ran a task."""


class RunnerProcess:
    """A process that runs the tasks of one index; used by one thread, cancelled by any."""

    def __init__(self, index: Path, state: Path) -> None:
        self._index, self._state = index, state
        self._process: subprocess.Popen[bytes] | None = None
        self._sending = Lock()

    def run(self, task_id: str) -> None:
        """Have a task run to its end; raises ``RunnerLost`` where the process ends before."""
        if self._process is None or self._process.poll() is not None:
            self.stop()
            self._process = subprocess.Popen(  # noqa: S603 - this very package
                [sys.executable, "-m", "dragoman.service.tasks.runner", self._index, self._state],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        self._send({"run": task_id})
        assert self._process.stdout is not None
        if not self._process.stdout.readline():
            status = self._process.wait()
            self.stop()
            raise RunnerLost(f"The process that ran the task ended with status {status}.")

    def cancel(self, task_id: str) -> None:
        """Stop a task if it is running."""
        self._send({"cancel": task_id})

    def _send(self, command: dict[str, str]) -> None:
        with self._sending:
            process = self._process
            if process is None or process.stdin is None or process.stdin.closed:
                return
            try:
                process.stdin.write(json.dumps(command).encode() + b"\n")
                process.stdin.flush()
            except BrokenPipeError:
                pass  # the process has ended, which ``run`` notices

    def end_input(self) -> None:
        """Tell the process to stop what it does; ``run`` then raises ``RunnerLost``."""
        with self._sending:
            if self._process is not None and self._process.stdin is not None:
                self._process.stdin.close()

    def stop(self) -> None:
        """End the process and wait for it."""
        self.end_input()
        if self._process is not None:
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
            self._process = None
