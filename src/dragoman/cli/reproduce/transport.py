"""``dragoman reproduce transport``: transport in search, alone and as a second stage."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal


def reproduce_transport(
    data: Annotated[Path, typer.Argument(help="A folder with xquad-r in it.", show_default=False)],
    collection: Annotated[
        Path | None,
        typer.Option(help="A collection for ad-hoc retrieval, such as debian-packages."),
    ] = None,
    languages: Annotated[
        str, typer.Option(help="The languages of the collection that are searched.")
    ] = "it",
    pairs: Annotated[
        str, typer.Option(help="The languages of XQuAD-R, each to and from English.")
    ] = "de,ru,el,ar",
    questions: Annotated[
        int, typer.Option(min=1, help="Ad-hoc questions a language at most.")
    ] = 200,
    fewer: Annotated[
        int, typer.Option(min=1, help="Questions of a row of the second stage at most.")
    ] = 100,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The page whose section is replaced; others stay."),
    ] = Path("docs/results.md"),
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where indexes stay, to be opened again next time.",
            show_default="they are removed",
        ),
    ] = None,
) -> None:
    """Compare transport with the engine on short questions, and measure it as a second stage.

    [dim]dragoman reproduce transport ../shared/data --collection debian-packages --languages it[/]
    """
    import shlex

    from dragoman.experiments.sections import write_section
    from dragoman.experiments.transport.experiment import TransportExperiment, reproduce
    from dragoman.experiments.transport.report import report
    from dragoman.text.languages import parse_list

    plan = TransportExperiment(
        data=data,
        collection=collection,
        languages=tuple(parse_list(languages)),
        pairs=tuple(parse_list(pairs)),
        ad_hoc_queries=questions,
        reranked_queries=fewer,
        cache=keep,
    )
    with terminal.Stages() as stages:
        results = reproduce(plan, stages.stage)
    words = ["dragoman", "reproduce", "transport", str(data)]
    words += ["--collection", str(collection), "--languages", languages] if collection else []
    words += ["--pairs", pairs, "--questions", str(questions), "--fewer", str(fewer)]
    command = shlex.join([*words, "-o", str(output)])
    text = report(results, command)
    write_section(output, "transport", text)
    terminal.out.print(text, markup=False)
    terminal.out.print(f"\nwritten to {output}")
