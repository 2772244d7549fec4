"""What the handlers of requests share."""

from dataclasses import dataclass
from typing import Annotated, TypeAlias

from fastapi import Depends, Request

from dragoman.indexes.index import Index
from dragoman.service.admission import Workers
from dragoman.service.catalog import Catalog
from dragoman.service.config import ServiceConfig
from dragoman.service.metrics import Metrics
from dragoman.service.problems import Problem
from dragoman.service.search.listing import DocumentLists
from dragoman.service.search.searching import Searching
from dragoman.service.security.callers import Security
from dragoman.service.tasks.writers import Writers


@dataclass(frozen=True)
class ServiceState:
    """The parts of a running service."""

    config: ServiceConfig
    catalog: Catalog
    workers: Workers
    searching: Searching
    lists: DocumentLists
    metrics: Metrics
    security: Security
    writers: Writers


def state_of(request: Request) -> ServiceState:
    """The parts of the service that a request came to."""
    state: ServiceState = request.app.state.service
    return state


def index_of(request: Request) -> Index:
    """The index that a path names; without a name, the only one."""
    catalog = state_of(request).catalog
    name = request.path_params.get("name")
    index = catalog.only if name is None else catalog.get(name)
    if index is not None:
        return index
    names = ", ".join(catalog)
    if name is None:
        raise Problem(
            400, "index_needed", f"Several indexes are here; use /v1/indexes/NAME/: {names}."
        )
    raise Problem(404, "unknown_index", f"No index is named {name!r}; there are: {names}.")


# Dependencies are coroutines, because FastAPI runs plain functions in other threads.


async def _chosen_state(request: Request) -> ServiceState:
    return state_of(request)


async def _chosen_index(request: Request) -> Index:
    return index_of(request)


ChosenState: TypeAlias = Annotated[ServiceState, Depends(_chosen_state)]
ChosenIndex: TypeAlias = Annotated[Index, Depends(_chosen_index)]
