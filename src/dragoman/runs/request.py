"""What a run is made from: everything that its metadata record and that a repetition needs."""

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any, Self

from dragoman import registry
from dragoman.errors import InputError, UserError
from dragoman.indexes.search.reranking import Rerank
from dragoman.ranking.balance import Balance
from dragoman.text.collection import split_queries
from dragoman.text.files import Faults, OnError
from dragoman.text.format_detection import IRDS
from dragoman.text.languages import parse_list
from dragoman.text.source import read_queries
from dragoman.types import Query


@dataclass(frozen=True, slots=True)
class RunRequest:
    """The arguments of `dragoman run`; sources are paths, ``irds:NAME`` or addresses."""

    index: str
    queries: str
    k: int = 1000
    query_language: str = ""
    within: str = ""
    where: tuple[str, ...] = ()
    balance: str = Balance.CALIBRATED.value
    rerank: Rerank | None = None
    split: str = ""
    format: str = ""
    on_error: str = OnError.STOP.value  # at a broken line of the queries

    def read_queries(self, faults: Faults) -> list[Query]:
        """The queries of the source, or of one split of it."""
        read = read_queries(
            self.queries, faults, format=self.format or None, language=self.query_language
        )
        return [
            *(split_queries(self.queries, self.split, faults, queries=read) if self.split else read)
        ]

    @property
    def languages(self) -> tuple[str, ...] | None:
        """The documents' languages that the search is restricted to."""
        return parse_list(self.within) if self.within else None

    def as_fields(self, folder: Path) -> dict[str, Any]:
        """Plain values; paths are relative to ``folder``, where the run is."""
        named = asdict(self)
        named["where"] = list(self.where)
        for source in ("index", "queries"):
            named[source] = _relative(named[source], folder)
        if self.rerank and self.rerank.system not in registry.SYSTEMS:
            named["rerank"]["system"] = _relative(self.rerank.system, folder)
        return named

    @classmethod
    def from_fields(cls, given: Mapping[str, Any], folder: Path, path: Path) -> Self:
        """The request that metadata in ``path`` record; paths are read from ``folder``."""
        known = {field.name for field in fields(cls)}
        try:
            values = {name: value for name, value in given.items() if name in known}
            rerank = values.pop("rerank", None)
            values["where"] = tuple(values.get("where") or ())
            request = cls(**values, rerank=_rerank(rerank, folder) if rerank else None)
            return replace(
                request,
                index=_absolute(request.index, folder),
                queries=_absolute(request.queries, folder),
                balance=Balance(request.balance).value,
                on_error=OnError(request.on_error).value,
            )
        except (TypeError, AttributeError, ValueError) as error:
            raise InputError(
                path, None, found=f"no complete request ({error})", expected="what `run` wrote"
            ) from error

    def expect_sources(self) -> None:
        """Refuse a request whose index or queries are no longer where it was made from."""
        for option, source in (("--index", self.index), ("--queries", self.queries)):
            if _is_path(source) and not Path(source).exists():
                raise UserError(
                    f"{source}: found nothing there; expected what the run was made from."
                    f" Name where it is now: {option} PATH"
                )


def _rerank(given: Mapping[str, Any], folder: Path) -> Rerank:
    """The second stage; the folder of a saved system is read from ``folder``."""
    rerank = Rerank(**given)
    if rerank.system in registry.SYSTEMS:
        return rerank
    return replace(rerank, system=_absolute(rerank.system, folder))


def _is_path(source: str) -> bool:
    return not source.startswith(IRDS) and "://" not in source


def _relative(source: str, folder: Path) -> str:
    return os.path.relpath(source, folder) if _is_path(source) else source


def _absolute(source: str, folder: Path) -> str:
    return os.path.normpath(folder / source) if _is_path(source) else source
