"""``dragoman reproduce engine``: psq, dense and hybrid by language pair and on pools."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal


def reproduce_engine(
    data: Annotated[
        Path,
        typer.Argument(
            help="A folder with xquad-r, afriqa-XX and bitext in it.", show_default=False
        ),
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The page whose section is replaced; others stay."),
    ] = Path("docs/results.md"),
    collections: Annotated[
        list[Path] | None,
        typer.Option(
            "--collection",
            metavar="FOLDER",
            help="A folder that `dragoman collection get` made; may come several times.",
            show_default=False,
        ),
    ] = None,
    questions: Annotated[
        int | None,
        typer.Option(help="At most so many questions for each row.", min=1, show_default="all"),
    ] = None,
    pooled: Annotated[
        int, typer.Option(help="At most so many questions a language for the pools.", min=1)
    ] = 100,
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            help="Where indexes stay, to be opened again next time.",
            show_default="they are removed",
        ),
    ] = None,
) -> None:
    """Compare psq, dense and hybrid in the engine, by language pair and on pools of languages.

    Where a collection has a language with at most a tenth of its English documents, a table shows
    what --balance does for it. Students are measured on the sentence pairs that they were not
    taught.

    [dim]dragoman reproduce engine ../shared/data --collection packages --keep indexes[/]
    """
    import shlex

    from dragoman.experiments.engine.experiment import reproduce
    from dragoman.experiments.engine.report import report
    from dragoman.experiments.sections import write_section

    folders = collections or []
    results = reproduce(data, folders, questions, pooled, keep, terminal.progress)
    words = ["dragoman", "reproduce", "engine", str(data), "-o", str(output)]
    words += [word for folder in folders for word in ("--collection", str(folder))]
    words += ["--questions", str(questions)] if questions else []
    text = report(results, shlex.join([*words, "--pooled", str(pooled)]))
    write_section(output, "engine", text)
    terminal.out.print(text, markup=False)
    terminal.out.print(f"\nwritten to {output}")
