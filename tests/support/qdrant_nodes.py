"""Nodes of a real Qdrant cluster on loopback, in temporary folders, and a proxy in front of one."""

import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0  # seconds
LOOPBACK = "127.0.0.1"


def server() -> Path:
    """The binary of the server; the test is skipped where there is none."""
    path = Path(os.environ.get("QDRANT_BIN") or ROOT / "build" / "qdrant" / "qdrant")
    if not path.is_file():
        pytest.skip(f"no Qdrant server at {path}: make test-cluster fetches it, where npm can")
    return path


def free_port() -> int:
    with closing(socket.socket()) as listening:
        listening.bind((LOOPBACK, 0))
        return int(listening.getsockname()[1])


def wait_until(holds: object, what: str, seconds: float = PATIENCE) -> None:
    """Wait for a state of processes that the test has started."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        with suppress(httpx.HTTPError, KeyError):
            if holds():
                return
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds:g} seconds in vain: {what}")


class Node:
    """One server process; in a network namespace of its own where one is named."""

    def __init__(
        self,
        folder: Path,
        first: "Node | None" = None,
        *,
        interface: str = LOOPBACK,
        namespace: str = "",
    ) -> None:
        self.folder, self.first = folder, first
        self.interface, self.namespace = interface, namespace
        self.http, self.grpc, self.peer = free_port(), free_port(), free_port()
        self.process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    @property
    def host(self) -> str:
        return f"{self.interface}:{self.http}"

    @property
    def peer_address(self) -> str:
        return f"http://{self.interface}:{self.peer}"

    def start(self) -> None:
        settings = {
            "QDRANT__CLUSTER__ENABLED": "true",
            "QDRANT__CLUSTER__P2P__PORT": str(self.peer),
            "QDRANT__CLUSTER__CONSENSUS__TICK_PERIOD_MS": "50",
            "QDRANT__LOG_LEVEL": "WARN",
            "QDRANT__SERVICE__GRPC_PORT": str(self.grpc),
            "QDRANT__SERVICE__HOST": self.interface,
            "QDRANT__SERVICE__HTTP_PORT": str(self.http),
            "QDRANT__STORAGE__SNAPSHOTS_PATH": str(self.folder / "snapshots"),
            "QDRANT__STORAGE__STORAGE_PATH": str(self.folder / "storage"),
            "QDRANT__STORAGE__WAL__WAL_CAPACITY_MB": "4",
            "QDRANT__TELEMETRY_DISABLED": "true",
        }
        command = ["ip", "netns", "exec", self.namespace] if self.namespace else []
        command += [str(server()), "--uri", self.peer_address]
        if self.first is not None:
            command += ["--bootstrap", self.first.peer_address]
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                command,
                cwd=self.folder,
                env={**os.environ, **settings},
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        wait_until(lambda: httpx.get(f"http://{self.host}/readyz").is_success, "a node that starts")

    def log(self) -> str:
        """What the server has written so far."""
        return (self.folder / "log").read_text(encoding="utf-8", errors="replace")

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def send(self, number: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        if self.process is not None:
            with suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()
            self.process = None


class Cluster:
    """Several nodes, the first of which the others join."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = [*nodes]

    def address(self, name: str, **settings: object) -> str:
        hosts = ",".join(node.host for node in self.nodes)
        query = "&".join(f"{key}={value}" for key, value in settings.items())
        return f"qdrant://{hosts}/{name}?{query}"

    def start_all(self) -> None:
        """Start the nodes that do not run, and wait until all replicas are active."""
        stopped = [node for node in self.nodes if not node.is_running]
        for node in stopped:
            node.start()
        if stopped:
            self.wait_until_whole()

    def remove_collections(self) -> None:
        """Remove what tests before have left: a node that comes back copies all of it."""
        root = f"http://{self.nodes[0].host}/collections"
        for one in httpx.get(root).json()["result"]["collections"]:
            httpx.delete(f"{root}/{one['name']}", timeout=PATIENCE)

    def wait_until_whole(self) -> None:
        """Wait until every node has all its replicas active."""
        wait_until(lambda: all(map(_is_whole, self.nodes)), "replicas that are all active")


def _is_whole(node: Node) -> bool:
    root = f"http://{node.host}"
    listed = httpx.get(f"{root}/collections").json()["result"]["collections"]
    for name in (one["name"] for one in listed):
        state = httpx.get(f"{root}/collections/{name}/cluster").json()["result"]
        shards = [*state["local_shards"], *state["remote_shards"]]
        if any(shard["state"] != "Active" for shard in shards) or state["shard_transfers"]:
            return False
    return True


def three_nodes(folder: Path) -> list[Node]:
    """Nodes on loopback."""
    first = Node(folder / "1")
    return [first, Node(folder / "2", first), Node(folder / "3", first)]


@contextmanager
def running_cluster(nodes: Sequence[Node]) -> Iterator[Cluster]:
    """Three nodes that know each other; killed at the end."""
    cluster = Cluster(nodes)
    try:
        for node in cluster.nodes:
            node.start()
        root = f"http://{cluster.nodes[0].host}/cluster"
        wait_until(lambda: len(httpx.get(root).json()["result"]["peers"]) == 3, "three peers")
        yield cluster
    finally:
        for node in cluster.nodes:
            node.kill()


class Proxy:
    """Forwards connections to a node; it can delay every byte, or cut all connections."""

    def __init__(self, port: int) -> None:
        self._target, self.delay, self.is_cut = port, 0.0, False
        self._listening = socket.create_server((LOOPBACK, 0))
        self.host = f"{LOOPBACK}:{self._listening.getsockname()[1]}"
        self._sockets: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listening.accept()
            except OSError:
                return
            if self.is_cut:
                client.close()
                continue
            try:
                node = socket.create_connection((LOOPBACK, self._target))
            except OSError:
                client.close()
                continue
            self._sockets |= {client, node}
            for pair in ((client, node), (node, client)):
                threading.Thread(target=self._forward, args=pair, daemon=True).start()

    def _forward(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(1 << 16):
                time.sleep(self.delay)
                target.sendall(data)
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def cut(self) -> None:
        """Close all connections and accept no more."""
        self.is_cut = True
        for one in self._sockets:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self.cut()
        self._listening.close()
