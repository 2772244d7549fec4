"""What workers run: a batch of documents -> vectors, a batch of queries -> rankings.

A worker process is used for many batches, and keeps the system or index of the last one. It uses
one core, because a node runs as many workers as it has cores.
"""

import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import dragoman
from dragoman import compilation
from dragoman.errors import DragomanError, IndexFault, UserError
from dragoman.indexes.index import Index
from dragoman.indexes.search.reranking import Rerank
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.spaces import Vector
from dragoman.processors import limit_cores
from dragoman.types import Document, Query, Ranking
from dragoman.workers.saved_files import LoadedSystem, SystemFiles


class WorkerError(UserError):
    """A worker that cannot do its part, named by its machine."""


_systems: dict[str, LoadedSystem] = {}  # the last one, by its digest
_indexes: dict[tuple[str, str], Index] = {}  # the last one, by its place and identity


def encode_batch(
    digest: str,
    fetch: Callable[[], SystemFiles],
    treatments: Mapping[str, str],
    documents: Sequence[Document],
) -> list[Mapping[str, Vector]]:
    """The vectors of documents, by the system whose files ``fetch`` gets; it is loaded once."""
    with _one_core():
        if digest not in _systems:
            _systems.clear()
            _systems[digest] = LoadedSystem(fetch())
        return _systems[digest].treating(treatments).encode(documents)


def rank_batch(
    place: str,
    identity: str,
    queries: Sequence[Query],
    k: int,
    scope: Scope | None,
    rerank: Rerank | str | None,
) -> list[Ranking]:
    """The rankings of queries in the index at ``place``, which is opened once."""
    with _one_core():
        if (place, identity) not in _indexes:
            for old in _indexes.values():
                old.close()
            _indexes.clear()
            _indexes[place, identity] = _opened(place, identity)
        return [*_indexes[place, identity].rank_all(queries, k, scope, rerank=rerank)]


def _opened(place: str, identity: str) -> Index:
    index = dragoman.open(place)
    if index.manifest.identity != identity:
        index.close()
        raise IndexFault(f"{place}: found another build of the index. Share the folder, or copy it")
    index.warm_up()
    return index


@contextmanager
def _one_core() -> Iterator[None]:
    """Work in one core; errors name the machine, and have a form that can be sent back."""
    limit_cores(1)
    compilation.enable()
    try:
        yield
    except DragomanError as error:
        raise WorkerError(f"worker on {socket.gethostname()}: {error}") from None
