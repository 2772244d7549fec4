"""``dragoman reproduce``: the project's tables, measured again on this machine."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal

reproduce = typer.Typer(
    no_args_is_help=True, help="Measure the project's tables again and write them to a page."
)


@reproduce.callback()
def papers() -> None:
    """Measure the project's tables again and write them to a page."""


@reproduce.command("lexical")
def lexical(
    data: Annotated[
        Path, typer.Argument(help="A folder with xquad-r and afriqa-XX in it.", show_default=False)
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The page whose section is replaced; others stay."),
    ] = Path("docs/results.md"),
) -> None:
    """Compare psq with untranslated BM25, tf, idf and translated BM25, and write the table.

    [dim]dragoman reproduce lexical ../shared/data -o docs/results.md[/]
    """
    from dragoman.experiments.lexical import CONTESTANTS, collections, compare, report
    from dragoman.experiments.sections import write_section

    found = list(collections(data))
    total = len(CONTESTANTS) * sum(len(collection.tasks) for collection in found)
    with terminal.progress("searching", total) as advance:
        rows = [row for one in found for row in compare(one, advance=advance)]
    text = report(rows, f"dragoman reproduce lexical {data} -o {output}")
    write_section(output, "lexical", text)
    terminal.out.print(text, markup=False)
    terminal.out.print(f"\nwritten to {output}")


@reproduce.command("engine")
def engine(
    data: Annotated[
        Path, typer.Argument(help="A folder with xquad-r and afriqa-XX in it.", show_default=False)
    ],
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="The page whose section is replaced; others stay."),
    ] = Path("docs/results.md"),
    questions: Annotated[
        int, typer.Option(help="At most so many questions for each row.", min=1)
    ] = 300,
) -> None:
    """Compare psq, dense and hybrid in the engine, by language pair and on a pool of languages.

    [dim]dragoman reproduce engine ../shared/data -o docs/results.md --questions 300[/]
    """
    from dragoman.experiments.engine import SYSTEMS, compare, compare_pooled, report
    from dragoman.experiments.lexical import collections
    from dragoman.experiments.sections import write_section

    found = [one for one in collections(data) if "titles" not in one.name]
    total = len(SYSTEMS) * sum(len(collection.tasks) for collection in found)
    with terminal.progress("language pairs", total) as advance:
        rows = [row for one in found for row in compare(one, questions, advance)]
    pooled = []
    if (data / "xquad-r" / "sentences").is_dir():
        with terminal.progress("pooled sentences") as advance:
            pooled = compare_pooled(data / "xquad-r", max(1, questions // 6), advance)
    command = f"dragoman reproduce engine {data} -o {output} --questions {questions}"
    text = report(rows, pooled, command)
    write_section(output, "engine", text)
    terminal.out.print(text, markup=False)
    terminal.out.print(f"\nwritten to {output}")
