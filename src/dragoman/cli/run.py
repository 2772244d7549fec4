"""``dragoman run``: many queries to an index, as a TREC run."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dragoman.cli import terminal
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
    from collections import Counter
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from dragoman.indexes.search.open_index import OpenIndex
    from dragoman.indexes.search.reranking import Rerank
    from dragoman.types import Ranking


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
    key_file: KeyFile = None,
    on_error: OnBadLine = OnError.STOP,
) -> None:
    """Search INDEX for many queries and write a TREC run, with its signature next to it.

    [dim]dragoman run my-index --queries queries.jsonl -o run.trec[/]
    """
    from collections import Counter

    from dragoman.text.collection import split_queries
    from dragoman.text.files import Faults
    from dragoman.text.formats.trec import write_run
    from dragoman.text.languages import parse_list
    from dragoman.text.source import read_queries

    faults = Faults(on_error)
    read = read_queries(source, faults, format=format or None, language=query_language)
    queries = [*(split_queries(source, split, faults, queries=read) if split else read)]
    languages = parse_list(within) if within else None
    warnings = Counter[str]()
    with open_place(place, key_file) as index:
        reranking = prepare_reranking(index, rerank, rerank_weight, rerank_depth, rerank_seconds)
        scope = index.scope(languages, where or (), balance)
        warm_up(index)
        origin = provenance(index)
        with terminal.progress("searching", len(queries)) as advance:
            rankings = index.rank_all(queries, k, scope, advance, reranking)
            write_run(output, counted(rankings, warnings), tag=run_tag(origin["system"], reranking))
        write_signature(
            origin,
            output,
            queries=source,
            k=k,
            within=within,
            split=split,
            balance=str(balance),
            rerank=reranking and reranking.settings,
            cut_short=warnings.total(),
        )
        declared = sorted({query.language for query in queries if query.language})
        for warning in language_warnings(index, declared):
            terminal.warn(warning)
    if warnings:
        count = warnings.total()
        terminal.warn(f"{count:,} of {len(queries):,} queries: {next(iter(warnings))}")
    terminal.out.print(f"{output}: {len(queries):,} queries searched in {place}", soft_wrap=True)
    terminal.report(faults)


def counted(rankings: "Iterable[Ranking]", warnings: "Counter[str]") -> "Iterator[Ranking]":
    """The rankings, unchanged, while their warnings are counted."""
    for ranking in rankings:
        warnings.update(ranking.warnings)
        yield ranking


def warm_up(index: "OpenIndex") -> None:
    """Load what the first searches of a folder would wait for; a service has done so."""
    from dragoman.indexes.index import Index

    if isinstance(index, Index):
        index.warm_up()


def language_warnings(index: "OpenIndex", languages: "Sequence[str]") -> "Sequence[str]":
    """Warnings about languages; a service gives them with every ranking."""
    from dragoman.indexes.index import Index

    return index.system.warnings(languages) if isinstance(index, Index) else ()


def run_tag(system: str, rerank: "Rerank | None") -> str:
    """The run's name in its last column: the system, and the one that re-ranks."""
    systems = [system, *([rerank.name] if rerank else [])]
    return "dragoman-" + "-".join(systems)


def write_signature(origin: "Mapping[str, Any]", run_file: Path, **settings: object) -> None:
    """Write next to the run what produced it: system, settings, versions, hash of the documents."""
    from json import dumps

    from dragoman.storage.staging import write_lines

    fields = {"run": run_file.name, "search": settings, "index": dict(origin)}
    with write_lines(run_file.with_name(f"{run_file.name}.signature.json")) as stream:
        stream.write(dumps(fields, ensure_ascii=False, indent=2) + "\n")
