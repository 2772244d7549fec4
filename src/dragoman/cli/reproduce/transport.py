"""``dragoman reproduce transport``: transport in search, as the only system and as re-ranking."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.reproduce.options import (
    AgainstEnglish,
    CacheFolder,
    DataFolder,
    QueryLimit,
    ResultsPage,
)
from dragoman.cli.reproduce.report import command_line, publish


def reproduce_transport(
    data: DataFolder,
    collection: Annotated[
        Path | None,
        typer.Option(help="A collection for ad-hoc retrieval, such as debian-packages."),
    ] = None,
    languages: AgainstEnglish = "it",
    pairs: Annotated[
        str, typer.Option(help="Languages of XQuAD-R, each to and from English.")
    ] = "de,ru,el,ar",
    queries: QueryLimit = 200,
    rerank_queries: Annotated[
        int, typer.Option(min=1, help="Queries per language pair at most where it re-ranks.")
    ] = 100,
    output: ResultsPage = Path("docs/results.md"),
    cache: CacheFolder = None,
) -> None:
    """Compare transport with the engine on short queries, and measure it as re-ranking.

    --languages are those of the documents of --collection.

    [dim]dragoman reproduce transport ../shared/data --collection debian-packages --languages it[/]
    """
    from dragoman.experiments.transport.experiment import TransportExperiment, reproduce
    from dragoman.experiments.transport.report import report
    from dragoman.text.languages import parse_list

    assert queries is not None
    experiment = TransportExperiment(
        data=data,
        collection=collection,
        languages=tuple(parse_list(languages)),
        pairs=tuple(parse_list(pairs)),
        ad_hoc_queries=queries,
        reranked_queries=rerank_queries,
        cache=cache,
    )
    with terminal.Stages() as stages:
        results = reproduce(experiment, stages.stage)
    command = command_line(
        *("transport", data),
        collection=collection,
        languages=languages if collection else "",
        pairs=pairs,
        queries=queries,
        rerank_queries=rerank_queries,
        output=output,
    )
    publish(report(results, command), output, "transport")
