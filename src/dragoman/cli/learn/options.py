"""Options that the ``dragoman learn`` commands share."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli.inputs import readable

Bitext = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="BITEXT...",
        help="Sentence pairs: .tsv or .tmx files, two aligned text files, or folders of them.",
        show_default=False,
        callback=readable,
    ),
]
Dictionaries = Annotated[
    list[Path] | None,
    typer.Option(help="A dictionary (MUSE, TSV, FreeDict); repeat it for more.", callback=readable),
]
