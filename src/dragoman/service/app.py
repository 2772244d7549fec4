"""Indexes -> an ASGI application: routes, limits, errors and the page."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

import dragoman
from dragoman.errors import DragomanError
from dragoman.service.admission import Workers
from dragoman.service.catalog import Catalog
from dragoman.service.config import ServiceConfig
from dragoman.service.limits import Limits
from dragoman.service.logs import RequestLog
from dragoman.service.metrics import Metrics
from dragoman.service.openapi import add_document
from dragoman.service.page_files import add_page
from dragoman.service.problems import Abandoned, answer_error
from dragoman.service.routes import (
    document_writes,
    documents,
    explain,
    files,
    health,
    indexes,
    judgments,
    metrics,
    search,
    session,
    tasks,
)
from dragoman.service.search.cursors import Cursors
from dragoman.service.search.listing import DocumentLists
from dragoman.service.search.searching import Searching
from dragoman.service.search.windows import Windows
from dragoman.service.security.callers import Security
from dragoman.service.security.hosts import LOOPBACK
from dragoman.service.security.keys import KEYS, KeyFile
from dragoman.service.security.layers import add_security
from dragoman.service.state import ServiceState
from dragoman.service.tasks.writers import Writers
from dragoman.storage.state import state_folder

DESCRIPTION = "Search documents in many languages with a query in any of them."
OF_AN_INDEX = (
    *(indexes.index_router, search.router, explain.router, documents.router),
    *(document_writes.router, files.router, tasks.router, judgments.router),
)


def create_app(
    catalog: Catalog,
    config: ServiceConfig | None = None,
    *,
    folder: Path | None = None,
    hosts: Sequence[str] = LOOPBACK,
    when_ready: Callable[[], None] = lambda: None,
) -> FastAPI:
    """The application; it closes the catalog's indexes when it shuts down.

    ``folder`` holds its keys and tasks, ``hosts`` are the names by which it may be called;
    ``when_ready`` is called once, in another thread, when all indexes are loaded.
    """
    state = service_state(catalog, config or ServiceConfig(), folder or state_folder(), hosts)

    def warm_up() -> None:
        catalog.warm_up(state.config.rerankers)
        when_ready()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        warming = asyncio.get_running_loop().run_in_executor(None, warm_up)
        await asyncio.to_thread(state.writers.resume, [index for _, index in catalog.items()])
        yield
        await asyncio.gather(warming, return_exceptions=True)
        state.workers.close()
        await asyncio.to_thread(state.writers.close)
        catalog.close()

    app = FastAPI(
        title="Dragoman",
        version=dragoman.__version__,
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        openapi_url="/v1/openapi.json",
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.state.service = state
    # the last added is the outermost
    app.add_middleware(Limits, config=state.config, workers=state.workers)
    add_security(app, state.security, catalog)
    app.add_middleware(RequestLog, metrics=state.metrics, log_queries=state.config.log_queries)
    for kind in (HTTPException, RequestValidationError, DragomanError, Abandoned, Exception):
        app.add_exception_handler(kind, answer_error)
    app.include_router(metrics.router)
    for router in (health.router, indexes.router, session.router):
        app.include_router(router, prefix="/v1")
    for router in OF_AN_INDEX:
        app.include_router(router, prefix="/v1/indexes/{name}")
        app.include_router(router, prefix="/v1", include_in_schema=False)  # of the only index
    add_page(app)
    add_document(app)
    return app


def service_state(
    catalog: Catalog, config: ServiceConfig, folder: Path, hosts: Sequence[str]
) -> ServiceState:
    """The parts of a service on these indexes."""
    workers = Workers(config.threads, config.waiting, config.seconds)
    cursors = Cursors(config.window_seconds)
    windows = Windows(config.cached_windows, config.window_seconds)
    measured = Metrics()
    measured.watch("admitted", "Requests that wait or run.", lambda: workers.admitted)
    measured.watch("windows", "Rankings that are cached.", lambda: len(windows))
    writers = Writers(folder)
    measured.watch("tasks", "Tasks that wait or run.", writers.count_active)
    return ServiceState(
        config,
        catalog,
        workers,
        Searching(windows, cursors, config.rerankers),
        DocumentLists(cursors),
        measured,
        Security(KeyFile(folder / KEYS), tuple(hosts)),
        writers,
    )
