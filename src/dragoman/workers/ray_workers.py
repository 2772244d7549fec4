"""Batches -> results in their order, by the workers of a Ray cluster or of this machine.

A batch is a Ray task, not the call of an actor. A task has its core only while it runs, so a pool
that waits never keeps cores from others, and Ray runs a task again elsewhere when its node is lost;
an actor that lost its node would wait for a free core, and its batches with it. Documents are read
by the one process that writes them: no reader needs a core of the cluster. A worker process is
used again for the next task and has the encoder loaded, as an actor would.
"""

import logging
import os
import secrets
import socket
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any, Self

from dragoman import registry
from dragoman.batches import batched, read_ahead
from dragoman.errors import UserError
from dragoman.indexes.index import Index
from dragoman.indexes.search.reranking import Rerank
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.system import Finish, System
from dragoman.protocols import Advance, no_progress
from dragoman.types import Document, Query, Ranking
from dragoman.workers.address import WorkersAddress, parse_workers
from dragoman.workers.saved_files import SystemFiles
from dragoman.workers.tasks import WorkerError, encode_batch, rank_batch

RETRIES = 8  # of a batch whose worker or node was lost
AHEAD = 2  # batches for each core: one that runs and one that waits
QUERIES = 16  # in a batch
REACH = 10.0  # seconds in which the head must answer
POLL = 10.0  # seconds between two looks at the cluster while a batch is waited for
STARTS = 3  # attempts to start Ray on this machine
QUIET: dict[str, Any] = {"logging_level": logging.ERROR, "log_to_driver": False}
OBJECTS = 256 << 20  # bytes of shared memory for batches, on this machine
CONTINUE = "The same command continues a build of a folder where it stopped."


class RayWorkers:
    """A connection to workers; they are released or stopped when it is closed."""

    def __init__(self, address: WorkersAddress | str) -> None:
        self.address = parse_workers(address) if isinstance(address, str) else address
        self._opened = ExitStack()
        _set_environment(is_local=not self.address.host)
        registry.load("ray:init")  # names the extra where it is missing
        import ray  # noqa: PLC0415 - reads the environment that was just set

        self._ray: Any = ray
        try:
            self._connect()
            self.cores = int(self._ray.cluster_resources().get("CPU", 0))
        except BaseException:
            self.close()
            raise
        if not self.cores:
            self.close()
            raise self._no_cores()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the workers of this machine, or leave the cluster."""
        self._ray.shutdown()
        self._opened.close()

    def _connect(self) -> None:
        if not self.address.host:
            self._start()
            return
        try:
            target = self.address.host.strip("[]"), self.address.port
            socket.create_connection(target, REACH).close()  # Ray would try for a minute
            self._ray.init(address=self.address.head, **QUIET)
        except (OSError, RuntimeError, ValueError, self._ray.exceptions.RayError) as error:
            raise UserError(
                f"--workers {self.address}: found no Ray cluster that can be used"
                f" ({_last_line(error)}); expected the head of one with Ray"
                f" {self._ray.__version__}, of which this machine is a node: ray start"
                f" --address={self.address.head} --num-cpus=0"
            ) from error

    def _start(self) -> None:
        """Start workers on this machine; a busy one may take longer than Ray waits at first."""
        for attempt in range(1, STARTS + 1):
            folder = self._opened.enter_context(
                # sockets have short names, which TMPDIR may be too long for
                TemporaryDirectory(prefix="dragoman-", dir="/tmp", ignore_cleanup_errors=True)
            )
            try:
                self._ray.init(
                    address="local",
                    num_cpus=self.address.count,
                    include_dashboard=False,
                    object_store_memory=OBJECTS,
                    _temp_dir=folder,
                    **QUIET,
                )
            except Exception as error:  # Ray raises nothing narrower
                self._ray.shutdown()
                if attempt == STARTS:
                    raise UserError(
                        f"--workers {self.address}: Ray could not be started on this machine"
                        f" ({_last_line(error)})."
                    ) from error
            else:
                return

    def submit(self, function: Callable[..., Any], *arguments: object) -> Callable[[], Any]:
        """Start a task; the callable returned waits for its result."""
        task = self._ray.remote(num_cpus=1, max_retries=RETRIES)(function)
        return partial(self._result, task.remote(*arguments))

    def _result(self, reference: object) -> Any:  # noqa: ANN401 - what the task returns
        errors = self._ray.exceptions
        try:
            while not self._ray.wait([reference], timeout=POLL)[0]:
                if self._ray.cluster_resources().get("CPU", 0) < 1:
                    raise self._no_cores()
            return self._ray.get(reference)
        except errors.RayTaskError as error:
            if isinstance(error.cause, WorkerError):
                raise error.cause from None
            if "failed to import on the worker" in str(error):
                raise UserError(
                    f"--workers {self.address}: found a node without this version of dragoman"
                    f" ({_last_line(error)}). Install it on every node."
                ) from error
            raise
        except (errors.RayError, ConnectionError) as error:
            raise UserError(
                f"--workers {self.address}: the workers were lost ({_last_line(error)}). {CONTINUE}"
            ) from error

    def _no_cores(self) -> UserError:
        return UserError(
            f"--workers {self.address}: found no node with a core; expected at least one."
            f" {CONTINUE}"
        )

    def encoding(self, system: System) -> "RayEncoding":
        """What encodes batches as ``system`` does here."""
        return RayEncoding(self, system)

    def searching(self, index: Index, place: str) -> "RaySearching":
        """What searches the index at ``place`` as ``index`` does here."""
        return RaySearching(self, place, index.manifest.identity)

    def fetching(self, value: object) -> Callable[[], Any]:
        """A value that workers can get, each once."""
        return partial(_fetched, [self._ray.put(value)])


class RayEncoding:
    """Encodes batches of documents on workers."""

    def __init__(self, workers: RayWorkers, system: System) -> None:
        self.ahead = AHEAD * workers.cores
        self._workers, self._system = workers, system
        files = SystemFiles.of(system)
        self._digest, self._fetch = files.digest, workers.fetching(files)

    def begin(self, documents: Sequence[Document]) -> Finish:
        """Start to encode a batch."""
        languages = sorted({document.language for document in documents})
        treatments = {code: self._system.treatment(code) for code in languages}
        return self._workers.submit(
            encode_batch, self._digest, self._fetch, treatments, [*documents]
        )

    def close(self) -> None:
        """Nothing: batches that were begun end with the connection."""


class RaySearching:
    """Ranks on workers, which open the index where it is."""

    def __init__(self, workers: RayWorkers, place: str, identity: str) -> None:
        self._workers, self._place, self._identity = workers, place, identity

    def rank_all(
        self,
        queries: Iterable[Query],
        k: int,
        scope: Scope | None = None,
        advance: Advance = no_progress,
        rerank: Rerank | str | None = None,
    ) -> Iterator[Ranking]:
        """A ranking for each query, in their order."""
        begun = (
            self._workers.submit(rank_batch, self._place, self._identity, batch, k, scope, rerank)
            for batch in batched(queries, QUERIES)
        )
        for finish in read_ahead(begun, AHEAD * self._workers.cores):
            for ranking in finish():
                yield ranking
                advance()


def _fetched(reference: Sequence[Any]) -> Any:  # noqa: ANN401
    """The value of a reference; in a list it is not fetched before it is needed."""
    return registry.load("ray:get")(reference[0])


def _set_environment(*, is_local: bool) -> None:
    """Send no usage statistics; on this machine alone, listen on loopback and require a token."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # the first one is raised
    if is_local:
        os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")  # no address but loopback
        os.environ.setdefault("RAY_worker_niceness", "0")  # as the command itself, not 15
        if "RAY_AUTH_MODE" not in os.environ:
            os.environ["RAY_AUTH_MODE"] = "token"
            os.environ.setdefault("RAY_AUTH_TOKEN", secrets.token_hex(32))


def _last_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[-1].strip() if lines else type(error).__name__
