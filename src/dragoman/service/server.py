"""An application -> a listening process that ends gracefully at SIGTERM and SIGINT."""

import gc
import logging
import resource
import signal
import socket
import sys
from collections.abc import Callable

import numpy as np  # noqa: F401 - whose BLAS is limited below
import uvicorn
from fastapi import FastAPI
from threadpoolctl import threadpool_limits

from dragoman.errors import UserError
from dragoman.service.logs import JsonLines

BACKLOG = 2048
GRACE = 30  # seconds for running requests when the process is told to stop
IDLE = 30  # seconds that a connection stays open between two requests
SWITCH = 0.0005  # seconds that a search may keep Python's lock while a connection wants it
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - what is shown instead
SPARE_FILES = 256  # open files that are not connections


class AnnouncingServer(uvicorn.Server):
    """A server that calls ``announce`` as soon as it accepts connections."""

    def __init__(self, config: uvicorn.Config, announce: Callable[[], None]) -> None:
        super().__init__(config)
        self._announce = announce

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept connections, and say so."""
        await super().startup(sockets)
        self._announce()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; one in use is an error."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)  # asyncio: no delay
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise UserError(
            f"{host}, port {port}: {error.strerror or error}. Choose another with --port or --host."
        ) from error
    return listening


def address(listening: socket.socket) -> str:
    """The address that a browser on this machine opens."""
    host, port = listening.getsockname()[:2]
    host = ANY_ADDRESS.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def run(app: FastAPI, listening: socket.socket, announce: Callable[[], None]) -> None:
    """Serve until the process is told to stop; running requests are finished first."""
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: None)  # uvicorn repeats the signal when all is done
    sys.setswitchinterval(SWITCH)
    config = uvicorn.Config(
        app,
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=GRACE,
        limit_concurrency=raise_file_limit() - SPARE_FILES,
    )
    # searches have a core each already: threads of BLAS would only wait for one, at its full cost
    with threadpool_limits(1, "blas"):
        AnnouncingServer(config, announce).run(sockets=[listening])


def exempt_loaded_objects() -> None:
    """Leave all objects that there are to stay out of garbage collections from now on.

    Tables and vocabularies are hundreds of thousands of objects. A full collection that looks at
    each keeps Python's lock for a third of a second, and every connection waits.
    """
    gc.collect()
    gc.freeze()


def raise_file_limit() -> int:
    """The number of files, and so of connections, that this process may open from now on."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return most
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    return most


def log_to_stderr(level: str) -> None:
    """Write events of the service and of its HTTP server as lines of JSON to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name in ("dragoman.service", "uvicorn.error"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(level.upper())
    logging.getLogger("uvicorn.error").setLevel("WARNING")  # the command says where it listens
