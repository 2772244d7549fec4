"""Indexes -> an ASGI application: routes, limits, errors and the page."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

import dragoman
from dragoman.errors import DragomanError
from dragoman.service.admission import Workers
from dragoman.service.catalog import Catalog
from dragoman.service.config import ServiceConfig
from dragoman.service.logs import RequestLog
from dragoman.service.page_files import add_page
from dragoman.service.problems import answer_error
from dragoman.service.routes import documents, health, indexes, search
from dragoman.service.state import ServiceState

DESCRIPTION = "Search documents in many languages with a query in any of them."
OF_AN_INDEX = (search.router, documents.router)


def create_app(catalog: Catalog, config: ServiceConfig | None = None) -> FastAPI:
    """The application; it closes the catalog's indexes when it shuts down."""
    config = config or ServiceConfig()
    workers = Workers(config.threads, config.waiting, config.seconds)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        warming = asyncio.get_running_loop().run_in_executor(None, catalog.warm_up)
        yield
        await asyncio.gather(warming, return_exceptions=True)
        workers.close()
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
    app.state.service = ServiceState(config, catalog, workers)
    app.add_middleware(RequestLog, log_queries=config.log_queries)  # the last added is outermost
    for kind in (HTTPException, RequestValidationError, DragomanError, Exception):
        app.add_exception_handler(kind, answer_error)
    for router in (health.router, indexes.router):
        app.include_router(router, prefix="/v1")
    for router in OF_AN_INDEX:
        app.include_router(router, prefix="/v1/indexes/{name}")
        app.include_router(router, prefix="/v1", include_in_schema=False)  # of the only index
    add_page(app)
    return app
