"""``dragoman reproduce lexical``: psq against untranslated and translated baselines."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal


def reproduce_lexical(
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
    from dragoman.experiments.lexical import SYSTEMS, compare, report
    from dragoman.experiments.sections import write_section
    from dragoman.experiments.tasks import read_data_folder

    collections = list(read_data_folder(data))
    total = len(SYSTEMS) * sum(len(collection.tasks) for collection in collections)
    with terminal.progress("searching", total) as advance:
        rows = [row for one in collections for row in compare(one, advance=advance)]
    text = report(rows, f"dragoman reproduce lexical {data} -o {output}")
    write_section(output, "lexical", text)
    terminal.out.print(text, markup=False)
    terminal.out.print(f"\nwritten to {output}")
