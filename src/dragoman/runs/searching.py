"""A request and an open index -> a TREC run with its metadata."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dragoman
from dragoman.indexes.index import Index
from dragoman.indexes.search.open_index import OpenIndex
from dragoman.indexes.search.reranking import Rerank
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
) -> WrittenRun:
    """Search for all queries and write the run and, next to it, its metadata.

    ``provenance`` is what identifies the index: its manifest, or what its service tells. ``own``
    are fields of the user.
    """
    warnings = Counter[str]()
    scope = index.scope(request.languages, request.where, Balance(request.balance))
    tag = run_tag(str(provenance.get("system", "")), request.rerank)
    with tracked() as facts:
        rankings = index.rank_all(queries, request.k, scope, advance, request.rerank)
        write_run(output, _counted(rankings, warnings), tag=tag)
    signature = {
        "dragoman": dragoman.__version__,
        "run": {"name": output.name, "sha256": file_sha256(output)},
        "request": request.as_fields(output.resolve().parent),
        "queries": {"number": len(queries), "fingerprint": fingerprint_queries(queries)},
        "index": {**_plain(provenance), **documents_of(index)},
        "cut short": warnings.total(),
        "seed": None,  # searches draw no random numbers
    }
    metadata = run_metadata(request, tag, signature, facts, own or {})
    write_metadata(metadata_path(output), metadata)
    return WrittenRun(output, len(queries), warnings, signature)


def documents_of(index: OpenIndex) -> dict[str, Any]:
    """How many documents an index has; of a folder their fingerprint too."""
    number = {"documents": index.count()}
    return (
        number | {"fingerprint": index_fingerprint(index)} if isinstance(index, Index) else number
    )


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
