"""``dragoman reproduce wasserstein``: the tables of Balikas et al. 2018 on aligned documents."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal


def reproduce_wasserstein(
    collection: Annotated[
        Path,
        typer.Argument(
            help="A collection of aligned documents, such as libreoffice-help.", show_default=False
        ),
    ],
    languages: Annotated[str, typer.Option(help="The languages beside English.")] = "fr,de,el,fi",
    bitext: Annotated[
        Path | None,
        typer.Option(
            help="A folder of en-XX.tsv.gz to learn word vectors from; by default the collection's"
            " own training bitext."
        ),
    ] = None,
    dictionaries: Annotated[
        Path | None, typer.Option(help="A folder of en-XX.tsv.gz dictionaries beside it.")
    ] = None,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The page whose section is replaced; others stay."),
    ] = Path("docs/results.md"),
    keep: Annotated[
        Path,
        typer.Option(help="Where learnt vectors and topics stay for the next time."),
    ] = Path("build/wasserstein"),
    items: Annotated[int, typer.Option(min=2, help="Test documents a language at most.")] = 500,
    questions: Annotated[
        int | None,
        typer.Option(min=1, help="So many of them ask, spread evenly.", show_default="all of them"),
    ] = None,
    topics: Annotated[int, typer.Option(min=1, help="Topics of BiLDA.")] = 300,
    sweeps: Annotated[
        int, typer.Option(min=2, help="Gibbs sweeps of BiLDA; two fifths are burn-in.")
    ] = 500,
    swept: Annotated[bool, typer.Option("--lambdas", help="Sweep the regularisation too.")] = False,
    words: Annotated[
        int | None,
        typer.Option(
            min=5,
            help="A second, harder round on the first so many words of each document.",
            show_default="none",
        ),
    ] = None,
    wider: Annotated[
        bool,
        typer.Option(
            "--wider", help="Beside the vectors of --bitext, learn some with the training bitext."
        ),
    ] = False,
) -> None:
    """Compare 21 systems at finding a document's translation, and write Tables 1 and 2.

    [dim]dragoman reproduce wasserstein libreoffice-help -o docs/results.md --lambdas[/]
    """
    from dragoman.experiments.sections import write_section
    from dragoman.experiments.wasserstein.experiment import WassersteinExperiment, reproduce
    from dragoman.experiments.wasserstein.report import report
    from dragoman.text.languages import parse_list

    plan = WassersteinExperiment(
        collection=collection,
        bitext=bitext,
        dictionaries=dictionaries,
        cache=keep,
        items=items,
        queries=questions,
        topics=topics,
        sweeps=sweeps,
        with_lambdas=swept,
        with_wider=wider,
        words=words,
    )
    chosen = parse_list(languages)
    with terminal.Stages() as stages:
        results = [reproduce(plan, code, stages.stage) for code in chosen]
    given = [f"--languages {languages}"]
    given += [f"--bitext {bitext}"] if bitext else []
    given += [f"--dictionaries {dictionaries}"] if dictionaries else []
    given += [f"--questions {questions}"] if questions else []
    given += ["--lambdas"] if swept else []
    given += [f"--words {words}"] if words else []
    given += ["--wider"] if wider else []
    command = f"dragoman reproduce wasserstein {collection} {' '.join(given)} -o {output}"
    text = report(results, command, plan.facts)
    write_section(output, "wasserstein", text)
    terminal.out.print(text, markup=False)
    terminal.out.print(f"\nwritten to {output}")
