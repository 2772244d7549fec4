"""Index folders -> open indexes by name."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import dragoman
from dragoman.errors import ConfigError, UserError
from dragoman.indexes.index import Index
from dragoman.indexes.search.reranking import Rerank


class Catalog:
    """The open indexes of a service; an index has the name of its folder, or in its cluster."""

    def __init__(self, places: Sequence[Path | str] = ()) -> None:
        self._indexes: dict[str, Index] = {}
        self._warm: set[str] = set()
        self._changing = threading.Lock()
        for place in places:
            index = dragoman.open(place)
            if index.name in self._indexes:
                other = self._indexes[index.name].place
                raise ConfigError(
                    f"Found two indexes named {index.name!r}: {other} and {place}; expected folders"
                    " with different names. Rename one."
                )
            self._indexes[index.name] = index

    def __iter__(self) -> Iterator[str]:
        return iter(self._indexes)

    def __len__(self) -> int:
        return len(self._indexes)

    def items(self) -> Iterator[tuple[str, Index]]:
        """The names with their indexes."""
        return iter(self._indexes.items())

    def get(self, name: str) -> Index | None:
        """The index with a name; None where there is none."""
        return self._indexes.get(name)

    @property
    def only(self) -> Index | None:
        """The index, where the service has exactly one."""
        return next(iter(self._indexes.values())) if len(self) == 1 else None

    @property
    def is_warm(self) -> bool:
        """Whether every index has been loaded."""
        return len(self._warm) == len(self._indexes)

    def unready(self) -> str:
        """Why an index cannot be searched now; empty where all can."""
        return next((why for index in self._indexes.values() if (why := index.probe())), "")

    def warm_up(self, rerankers: Sequence[str] = ()) -> None:
        """Load what first searches would wait for; systems that re-rank may read all documents."""
        for name, index in self._indexes.items():
            index.warm_up()
            with suppress(UserError):  # documents, but no queries may be in its languages
                index.search("warm up", 10)  # languages are detected, snippets and groups made
            for system in rerankers:
                index.second_stage(Rerank(system))
            with self._changing:
                self._warm.add(name)

    def close(self) -> None:
        """Close all indexes."""
        for index in self._indexes.values():
            index.close()
