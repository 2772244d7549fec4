"""A request and an open index -> a TREC run with its metadata."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol

import dragoman
from dragoman import registry
from dragoman.indexes.index import Index
from dragoman.indexes.search.open_index import OpenIndex
from dragoman.indexes.search.reranking import Rerank
from dragoman.indexes.search.scope import Scope
from dragoman.protocols import Advance, no_progress
from dragoman.ranking.balance import Balance
from dragoman.runs.index_fingerprint import index_fingerprint
from dragoman.runs.metadata import metadata_path, run_metadata, write_metadata
from dragoman.runs.request import RunRequest
from dragoman.runs.tracking import tracked
from dragoman.storage.digests import file_sha256
from dragoman.text.fingerprints import fingerprint_queries
from dragoman.text.formats.trec import write_run
from dragoman.types import Query, Ranking


class RanksAll(Protocol):
    """What ranks all queries of a run: an index, or workers that have it open."""

    def rank_all(
        self,
        queries: Iterable[Query],
        k: int,
        scope: Scope | None = None,
        advance: Advance = ...,
        rerank: Rerank | str | None = None,
    ) -> Iterator[Ranking]:
        """A ranking for each query, in their order."""
        ...


@dataclass(frozen=True, slots=True)
class WrittenRun:
    """What was written, and warnings with the number of queries that they are about."""

    path: Path
    queries: int
    warnings: Counter[str]
    signature: Mapping[str, Any]


def search_run(
    index: OpenIndex,
    queries: Sequence[Query],
    request: RunRequest,
    output: Path,
    *,
    provenance: Mapping[str, Any],
    own: Mapping[str, Any] | None = None,
    advance: Advance = no_progress,
    searching: RanksAll | None = None,
) -> WrittenRun:
    """Search for all queries and write the run and, next to it, its metadata.

    ``provenance`` is what identifies the index: its manifest, or what its service tells. ``own``
    are fields of the user. ``searching`` ranks in place of the index, as workers do.
    """
    warnings = Counter[str]()
    scope = index.scope(request.languages, request.where, Balance(request.balance))
    tag = run_tag(str(provenance.get("system", "")), request.rerank)
    with tracked() as facts:
        ranks = searching or index
        rankings = ranks.rank_all(queries, request.k, scope, advance, request.rerank)
        write_run(output, _counted(rankings, warnings), tag=tag)
    signature = {
        "dragoman": dragoman.__version__,
        "run": {"name": output.name, "sha256": file_sha256(output)},
        "request": request.as_fields(output.resolve().parent),
        "queries": {"number": len(queries), "fingerprint": fingerprint_queries(queries)},
        "index": {**_plain(provenance), **_state(index, queries)},
        "rerank": _rerank_fingerprint(request.rerank),
        "cut short": warnings.total(),
        "seed": None,  # searches draw no random numbers
    }
    metadata = run_metadata(request, tag, signature, facts, own or {})
    write_metadata(metadata_path(output), metadata)
    return WrittenRun(output, len(queries), warnings, signature)


def _state(index: OpenIndex, queries: Iterable[Query]) -> dict[str, Any]:
    """How many documents an index has; of a folder also what its rankings depend on.

    A treatment names the analyser, the translation table and the encoder of a language, with the
    hashes of the latter two.
    """
    if not isinstance(index, Index):
        return {"documents": index.count()}
    with index.snapshot() as snapshot:
        languages = {*snapshot.languages, *(query.language for query in queries)} - {""}
    return {
        "documents": index.count(),
        "fingerprint": index_fingerprint(index),
        "treatments": {code: index.system.treatment(code) for code in sorted(languages)},
    }


def _rerank_fingerprint(rerank: Rerank | None) -> str | None:
    """The hash of the files of a saved second system; None without one."""
    if rerank is None or rerank.system in registry.SYSTEMS:
        return None
    folder = Path(rerank.system)
    if not folder.is_dir():  # a system of the service that searches
        return None
    digest = sha256()
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        digest.update(f"{path.relative_to(folder).as_posix()}:{file_sha256(path)}\n".encode())
    return digest.hexdigest()


def run_tag(system: str, rerank: Rerank | None) -> str:
    """The run's name in its last column: the system, and the one that re-ranks."""
    systems = [system, *([rerank.name] if rerank else [])]
    return "dragoman-" + "-".join(systems)


def _counted(rankings: Iterable[Ranking], warnings: Counter[str]) -> Iterator[Ranking]:
    """The rankings, unchanged, while their warnings are counted."""
    for ranking in rankings:
        warnings.update(ranking.warnings)
        yield ranking


def _plain(value: Any) -> Any:  # noqa: ANN401 - a tree of settings
    """The value with lists for tuples and strings for what YAML has no word for."""
    if isinstance(value, Mapping):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return [_plain(one) for one in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
