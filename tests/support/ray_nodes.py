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

PATIENCE = 240.0  # seconds that a node may take to start on a busy machine
# `ray start`, with some changes: a loopback address stays what it is, neither autoscaler nor client
# server are started, and a busy machine may take longer: a node is waited for longer than 30
# seconds, and the ports of its agents, which are known, not for 15 seconds
RAY_START = """
import pathlib, time
from ray._private import node, ray_constants, services
start_raylet = node.Node.start_raylet
def start_raylet_with_known_ports(self, *arguments, **options):
    given = self._ray_params
    for name, port in {
        "dashboard_agent_listen_port": given.dashboard_agent_listen_port,
        "metrics_agent_port": given.metrics_agent_port,
        "metrics_export_port": given.metrics_export_port,
        "runtime_env_agent_port": given.runtime_env_agent_port,
    }.items():
        (pathlib.Path(self._session_dir) / f"{name}_{self._node_id}").write_text(str(port))
    return start_raylet(self, *arguments, **options)
node.Node.start_raylet = start_raylet_with_known_ports
node.Node.start_monitor = node.Node.start_ray_client_server = lambda self: None
services.resolve_ip_for_localhost = lambda host: host
services.get_node_ip_address = lambda address=None: "127.0.0.1"
get_node = services.get_node
def get_node_patiently(*arguments):
    for _ in range(300):
        try:
            return get_node(*arguments)
        except RuntimeError:
            time.sleep(0.5)
    return get_node(*arguments)
services.get_node = get_node_patiently
ray_constants.ENABLE_RAY_CLUSTER = True
from ray.scripts.scripts import main
main()
"""
PORTS = (
    "dashboard-agent-grpc-port",
    "dashboard-agent-listen-port",
    "metrics-export-port",
    "runtime-env-agent-port",
)
SETTINGS = {
    "RAY_agent_register_timeout_ms": "240000",
    "RAY_AUTH_MODE": "token",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # listen on loopback
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_health_check_failure_threshold": "5",
    "RAY_health_check_period_ms": "1000",
    "RAY_worker_niceness": "0",  # 15 by default: on a busy machine they would never end
}


class RayNode:
    """The processes of one node."""

    def __init__(self, log: Path, *options: str) -> None:
        self.log, self.options = log, options
        self.process = self._start()
        if not self._is_up():
            self.kill()
            raise AssertionError(f"no node: {log.read_text()}")

    def _start(self) -> "subprocess.Popen[bytes]":
        common = [
            "--include-log-monitor=false",
            "--num-cpus=1",
            f"--node-ip-address={LOOPBACK}",
            "--block",
        ]
        common += ["--object-store-memory=100000000", "--min-worker-port=0", "--max-worker-port=0"]
        common += [f"--{name}={free_port()}" for name in PORTS] + ["--disable-usage-stats"]
        command = [sys.executable, "-c", RAY_START, "start", *self.options, *common]
        with self.log.open("wb") as output:
            return subprocess.Popen(command, stdout=output, stderr=output, start_new_session=True)

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
        self.folder, self._port = folder, free_port()
        self.address = f"ray://{LOOPBACK}:{self._port}"
        options = [f"--port={self._port}", f"--temp-dir={folder}", "--include-dashboard=false"]
        self.head = RayNode(folder / "head.log", "--head", *options)
        self.second = self.add()

    def add(self) -> RayNode:
        """One more node."""
        return RayNode(self.folder / "node.log", f"--address={LOOPBACK}:{self._port}")


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
