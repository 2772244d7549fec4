"""``dragoman reproduce engine``: psq, dense and hybrid by language pair and on pools."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.reproduce.options import (
    CacheFolder,
    CollectionFolders,
    DataFolder,
    QueryLimit,
    ResultsPage,
)
from dragoman.cli.reproduce.report import command_line, publish


def reproduce_engine(
    data: DataFolder,
    output: ResultsPage = Path("docs/results.md"),
    collections: CollectionFolders = None,
    queries: QueryLimit = None,
    pooled_queries: Annotated[
        int, typer.Option(min=1, help="Queries per language at most on the pools.")
    ] = 100,
    cache: CacheFolder = None,
    students: Annotated[
        bool, typer.Option(help="Measure students, which encodes all English of their bitext.")
    ] = True,
) -> None:
    """Compare psq, dense and hybrid in the engine, by language pair and on pools of languages.

    Where a collection has a language with at most a tenth of its English documents, a table shows
    the effect of --balance on it. Students are measured on held-out sentence pairs.

    [dim]dragoman reproduce engine ../shared/data --collection packages --cache indexes[/]
    """
    from dragoman.experiments.engine.experiment import reproduce
    from dragoman.experiments.engine.report import report

    folders = collections or []
    results = reproduce(
        *(data, folders, queries, pooled_queries, cache, terminal.progress),
        with_students=students,
    )
    command = command_line(
        *("engine", data),
        output=output,
        collection=folders,
        queries=queries,
        pooled_queries=pooled_queries,
        no_students=not students,
    )
    publish(report(results, command), output, "engine")
