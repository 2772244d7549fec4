"""``dragoman learn table``: translation tables of other toolkits -> lexicons, and back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.inputs import readable_path
from dragoman.cli.options import LanguagePair, OnBadLine
from dragoman.text.files import Faults, OnError

if TYPE_CHECKING:
    from dragoman.lexicons.lexicon import Lexicon

JSON = (".json", ".json.gz", ".json.zst")


def learn_table(
    languages: LanguagePair,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            help="The folder to write, for `index --lexicon`; with a name in .json or .json.gz the"
            " table as hltcoe/PSQ and Patapsco read it.",
            show_default=False,
        ),
    ],
    table: Annotated[
        Path | None,
        typer.Argument(
            metavar="[TABLE]",
            help="A table of hltcoe/PSQ or Patapsco (JSON), one of GIZA++ (source target"
            " probability), or the folder of a lexicon; without it the shipped table.",
            callback=readable_path,
            show_default=False,
        ),
    ] = None,
    on_error: OnBadLine = OnError.STOP,
) -> None:
    """Convert a translation table from or to the form of another toolkit.

    [dim]dragoman learn table eng-fas.json --languages en-fa -o en-fa[/]
    [dim]dragoman learn table --languages en-sw -o eng-swa.json[/]
    """
    from dragoman.lexicons.psq_tables import write_psq_table
    from dragoman.storage.outputs import require_writable_file, require_writable_folder
    from dragoman.text.languages import parse_pair

    as_json = output.name.endswith(JSON)
    (require_writable_file if as_json else require_writable_folder)(output)
    faults = Faults(on_error)
    lexicon = _lexicon(table, *parse_pair(languages), faults)
    if as_json:
        write_psq_table(output, lexicon)
    else:
        lexicon.save(output)
    origin = terminal.plain(str(table)) if table else "the shipped table"
    terminal.out.print(
        f"{terminal.plain(str(output))}: {lexicon.forward.nnz:,} word pairs of"
        f" {len(lexicon.source_words):,} terms from {origin}",
        soft_wrap=True,
    )
    terminal.report(faults)


def _lexicon(table: Path | None, source: str, target: str, faults: Faults) -> "Lexicon":
    """The lexicon from ``source`` to ``target`` that a file or folder holds, or a shipped one."""
    from dragoman.errors import ConfigError
    from dragoman.lexicons.lexicon import Lexicon
    from dragoman.lexicons.psq_tables import lexicon_of_table, read_psq_table
    from dragoman.lexicons.shipped_lexicons import PIVOT, shipped_lexicon

    if table is not None and table.is_file():
        return lexicon_of_table(read_psq_table(table, faults), source, target)
    found = (
        Lexicon.load(table)
        if table is not None
        else shipped_lexicon(target if source == PIVOT else source)
    )
    if (found.source, found.target) == (source, target):
        return found
    if (found.target, found.source) == (source, target):
        return found.reversed()
    raise ConfigError(
        f"Found a lexicon for {found.source}-{found.target}; expected one for {source}-{target}."
    )
