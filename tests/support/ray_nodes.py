"""Nodes of a real Ray cluster on loopback, each a group of processes that can be killed at once."""

import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from qdrant_nodes import LOOPBACK, free_port

STARTS, PATIENCE = 3, 90.0  # attempts of a node on a busy machine, and seconds of each
# `ray start`, which takes no loopback address as it is: it looks for one that others can reach
RAY_START = """
from ray._private import ray_constants, services
services.resolve_ip_for_localhost = lambda host: host
services.get_node_ip_address = lambda address=None: "127.0.0.1"
ray_constants.ENABLE_RAY_CLUSTER = True
from ray.scripts.scripts import main
main()
"""
SETTINGS = {
    "RAY_AUTH_MODE": "token",
    "RAY_CLIENT_SERVER_CHECK_CHANNEL_TIMEOUT_S": "120",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # listen on loopback
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_health_check_failure_threshold": "5",
    "RAY_health_check_period_ms": "1000",
}


class RayNode:
    """The processes of one node."""

    def __init__(self, log: Path, *options: str) -> None:
        self.log, self.options = log, options
        self.process: subprocess.Popen[bytes] | None = None
        for _ in range(STARTS):
            self._start()
            if self._is_up():
                return
            self.kill()
        raise AssertionError(f"no node: {log.read_text()}")

    def _start(self) -> None:
        common = ["--num-cpus=1", f"--node-ip-address={LOOPBACK}", "--block"]
        common += ["--object-store-memory=100000000", "--min-worker-port=0", "--max-worker-port=0"]
        common += ["--dashboard-agent-listen-port=0", "--disable-usage-stats"]
        command = [sys.executable, "-c", RAY_START, "start", *self.options, *common]
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                command, stdout=output, stderr=output, start_new_session=True
            )

    def _is_up(self) -> bool:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline and self.process.poll() is None:
            if "Ray runtime started" in self.log.read_text():
                return True
            time.sleep(0.1)
        return False

    def kill(self) -> None:
        """Kill all its processes at once, as a power failure does."""
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


class RayNodes:
    """A head and one more node, a core each."""

    def __init__(self, folder: Path) -> None:
        self.folder, self._gcs, client = folder, free_port(), free_port()
        self.address = f"ray://{LOOPBACK}:{client}"
        options = [f"--port={self._gcs}", f"--ray-client-server-port={client}"]
        options += ["--include-dashboard=false", f"--temp-dir={folder}"]
        self.head = RayNode(folder / "head.log", "--head", *options)
        self.second = self.add()

    def add(self) -> RayNode:
        """One more node."""
        return RayNode(self.folder / "node.log", f"--address={LOOPBACK}:{self._gcs}")


@contextmanager
def running_ray() -> Iterator[RayNodes]:
    """Two nodes; all processes are killed at the end."""
    before = dict(os.environ)
    os.environ.update(SETTINGS, RAY_AUTH_TOKEN=secrets.token_hex(32))
    # not in the folder of the test, whose name is too long for sockets
    with TemporaryDirectory(prefix="ray-", dir="/tmp", ignore_cleanup_errors=True) as name:
        nodes = RayNodes(Path(name))
        try:
            yield nodes
        finally:
            nodes.second.kill()
            nodes.head.kill()
            os.environ.clear()
            os.environ.update(before)
