"""``dragoman reproduce wasserstein``: the tables of Balikas et al. 2018 on aligned documents."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import SweepCount, TopicCount
from dragoman.cli.reproduce.options import (
    AgainstEnglish,
    CacheFolder,
    QueryLimit,
    ResultsPage,
    SectionName,
)
from dragoman.cli.reproduce.report import command_line, publish


def reproduce_wasserstein(
    collection: Annotated[
        Path,
        typer.Argument(
            help="A collection of aligned documents, such as libreoffice-help.", show_default=False
        ),
    ],
    languages: AgainstEnglish = "fr,de,el,fi",
    bitext: Annotated[
        Path | None,
        typer.Option(
            help="A folder of en-XX.tsv.gz to learn word vectors and translations from; by default"
            " the collection's own training bitext."
        ),
    ] = None,
    dictionaries: Annotated[
        Path | None, typer.Option(help="A folder of en-XX.tsv.gz dictionaries to learn from too.")
    ] = None,
    output: ResultsPage = Path("docs/results.md"),
    cache: CacheFolder = Path("build/wasserstein"),
    items: Annotated[int, typer.Option(min=2, help="Test documents per language at most.")] = 500,
    queries: QueryLimit = None,
    topics: TopicCount = 300,
    sweeps: SweepCount = 500,
    lambdas: Annotated[
        bool, typer.Option("--lambdas", help="Sweep the regularisation too.")
    ] = False,
    words: Annotated[
        int | None,
        typer.Option(
            min=5,
            help="Take the first so many words of each test document, which is harder.",
            show_default="all",
        ),
    ] = None,
    min_count: Annotated[
        int,
        typer.Option(
            min=1,
            help="Occurrences in the texts that vectors are learnt from which a word needs to get"
            " one; more leaves more words out of the vocabulary.",
        ),
    ] = 1,
    section: SectionName = "",
) -> None:
    """Compare 21 systems at finding a document's translation, and write Tables 1 and 2.

    Test documents are the queries; --queries takes some of them, spread evenly. Two fifths of the
    Gibbs sweeps are burn-in.

    [dim]dragoman reproduce wasserstein libreoffice-help --items 1000 --words 10 --lambdas[/]
    """
    from dragoman.experiments.wasserstein.experiment import WassersteinExperiment, reproduce
    from dragoman.experiments.wasserstein.report import report
    from dragoman.text.languages import parse_list

    assert cache is not None
    experiment = WassersteinExperiment(
        collection=collection,
        bitext=bitext,
        dictionaries=dictionaries,
        cache=cache,
        items=items,
        queries=queries,
        topics=topics,
        sweeps=sweeps,
        with_lambdas=lambdas,
        words=words,
        min_count=min_count,
    )
    with terminal.Stages() as stages:
        results = [reproduce(experiment, code, stages.stage) for code in parse_list(languages)]
    command = command_line(
        *("wasserstein", collection),
        languages=languages,
        bitext=bitext,
        dictionaries=dictionaries,
        items=items,
        queries=queries,
        topics=topics,
        sweeps=sweeps,
        lambdas=lambdas,
        words=words,
        min_count=min_count if min_count > 1 else None,
        section=section,
        output=output,
    )
    page_section = f"wasserstein-{section}" if section else "wasserstein"
    text = report(results, command, experiment.facts, section, known_words=min_count == 1)
    publish(text, output, page_section)
