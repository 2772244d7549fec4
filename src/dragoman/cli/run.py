"""``dragoman run``: many queries to an index, as a TREC run."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dragoman.cli import terminal
from dragoman.cli.building import WorkersPlace, open_workers
from dragoman.cli.inputs import readable_path
from dragoman.cli.opening import IndexPlace, KeyFile, open_place, provenance
from dragoman.cli.options import (
    Balanced,
    Depth,
    OnBadLine,
    QueryLanguage,
    RerankDepth,
    RerankSeconds,
    RerankSystem,
    RerankWeight,
    Where,
    Within,
    output_file,
)
from dragoman.cli.reranking import prepare_reranking
from dragoman.ranking.balance import Balance
from dragoman.text.files import OnError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dragoman.indexes.search.open_index import OpenIndex
    from dragoman.runs.request import RunRequest
    from dragoman.runs.searching import RanksAll, WrittenRun
    from dragoman.types import Query
    from dragoman.workers.ray_workers import RayWorkers


def run(
    place: IndexPlace,
    source: Annotated[
        str,
        typer.Option(
            "--queries",
            help="Queries: .jsonl, .tsv, .csv, TREC topics, a collection folder, irds:NAME.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The TREC run to write.", callback=output_file),
    ],
    k: Depth = 1000,
    query_language: QueryLanguage = "",
    within: Within = "",
    where: Where = None,
    balance: Balanced = Balance.CALIBRATED,
    rerank: RerankSystem = "",
    rerank_weight: RerankWeight = 0.5,
    rerank_depth: RerankDepth = 100,
    rerank_seconds: RerankSeconds = 0.0,
    split: Annotated[str, typer.Option(help="Only queries of this split, as in test.")] = "",
    format: Annotated[  # noqa: A002 - the option's name
        str, typer.Option(help="The format of the queries, where their name does not show it.")
    ] = "",
    metadata: Annotated[
        Path | None,
        typer.Option(
            help="A YAML file of fields of your own for the metadata: actor, research goal ...",
            callback=readable_path,
        ),
    ] = None,
    key_file: KeyFile = None,
    on_error: OnBadLine = OnError.STOP,
    workers: WorkersPlace = "",
) -> None:
    """Search INDEX for many queries and write a TREC run, with its ir_metadata next to it.

    [dim]dragoman run my-index --queries queries.jsonl -o run.trec[/]
    """
    from dragoman.runs.metadata import read_metadata
    from dragoman.runs.request import RunRequest
    from dragoman.text.files import Faults

    own = read_metadata(metadata) if metadata else {}
    request = RunRequest(
        index=place,
        queries=source,
        k=k,
        query_language=query_language,
        within=within,
        where=tuple(where or ()),
        balance=balance.value,
        split=split,
        format=format,
        on_error=on_error.value,
    )
    faults = Faults(on_error)
    queries = request.read_queries(faults)
    with open_place(place, key_file) as index, open_workers(workers) as opened:
        searching = search_on(opened, index, place) if opened else None
        rerank_by = prepare_reranking(index, rerank, rerank_weight, rerank_depth, rerank_seconds)
        make_run(index, queries, replace(request, rerank=rerank_by), output, own, searching)
    terminal.out.print(f"{output}: {len(queries):,} queries searched in {place}", soft_wrap=True)
    terminal.report(faults)


def make_run(
    index: "OpenIndex",
    queries: "Sequence[Query]",
    request: "RunRequest",
    output: Path,
    own: "Mapping[str, Any]",
    searching: "RanksAll | None" = None,
) -> "WrittenRun":
    """Search for all queries with a progress bar, and print warnings."""
    from dragoman.runs.searching import search_run

    if searching is None:
        warm_up(index)
    with terminal.progress("searching", len(queries)) as advance:
        written = search_run(
            index,
            queries,
            request,
            output,
            provenance=provenance(index),
            own=own,
            advance=advance,
            searching=searching,
        )
    declared = sorted({query.language for query in queries if query.language})
    for warning in language_warnings(index, declared):
        terminal.warn(warning)
    if written.warnings:
        count = written.warnings.total()
        terminal.warn(f"{count:,} of {len(queries):,} queries: {next(iter(written.warnings))}")
    return written


def search_on(workers: "RayWorkers", index: "OpenIndex", place: str) -> "RanksAll":
    """What searches on workers, which open the index at ``place``; a service does so by itself."""
    from dragoman.cluster.address import is_cluster_address
    from dragoman.errors import UserError
    from dragoman.indexes.index import Index

    if not isinstance(index, Index):
        raise UserError(
            f"Found --workers and the service {place}; a service searches with its own workers."
            " Leave --workers out, or name an index folder or cluster."
        )
    there = place if is_cluster_address(place) else str(Path(place).resolve())
    return workers.searching(index, there)


def warm_up(index: "OpenIndex") -> None:
    """Load what the first searches of a folder would wait for; a service has done so."""
    from dragoman.indexes.index import Index

    if isinstance(index, Index):
        index.warm_up()


def language_warnings(index: "OpenIndex", languages: "Sequence[str]") -> "Sequence[str]":
    """Warnings about languages; a service gives them with every ranking."""
    from dragoman.indexes.index import Index

    return index.system.warnings(languages) if isinstance(index, Index) else ()
