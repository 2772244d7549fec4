"""``dragoman learn table``: a translation table of another toolkit, as a lexicon."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.inputs import readable_path
from dragoman.cli.options import LanguagePair, OnBadLine, OutputFolder
from dragoman.text.files import Faults, OnError


def learn_table(
    table: Annotated[
        Path,
        typer.Argument(
            metavar="TABLE",
            help="A table of hltcoe/PSQ or Patapsco (JSON), or of GIZA++ (source target"
            " probability).",
            callback=readable_path,
            show_default=False,
        ),
    ],
    languages: LanguagePair,
    output: OutputFolder,
    on_error: OnBadLine = OnError.STOP,
) -> None:
    """Turn a translation table of another toolkit into one for `index --lexicon`.

    [dim]dragoman learn table eng-fas.json --languages en-fa -o en-fa[/]
    """
    from dragoman.lexicons.psq_tables import lexicon_of_table, read_psq_table
    from dragoman.text.languages import parse_pair

    source, target = parse_pair(languages)
    faults = Faults(on_error)
    read = read_psq_table(table, faults)
    lexicon = lexicon_of_table(read, source, target)
    lexicon.save(output)
    terminal.out.print(
        f"{terminal.plain(str(output))}: {lexicon.forward.nnz:,} word pairs from"
        f" {len(read):,} words of {terminal.plain(str(table))}",
        soft_wrap=True,
    )
    terminal.report(faults)
