"""Options of the commands that build an index, and what they come to."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from dragoman.indexes.index import Index

IndexFolder = Annotated[
    Path, typer.Option("-o", "--output", help="The index folder.", show_default=False)
]
SystemName = Annotated[
    str,
    typer.Option(
        help="The system that will rank: hybrid, psq or dense; by default hybrid where the"
        " sentence encoder is here, else psq.",
    ),
]
CandidateLanguages = Annotated[
    str, typer.Option(help="Detect among these only, as in de,fr,it.", show_default=False)
]
Lexicons = Annotated[
    list[Path] | None,
    typer.Option(help="Your own translation table, made by `dragoman learn lexicon`."),
]
Students = Annotated[
    list[Path] | None,
    typer.Option(help="Your own sentence encoder, made by `dragoman learn encoder`."),
]


def builder(
    system: str, lexicons: list[Path] | None, students: list[Path] | None, **settings: object
) -> "Callable[..., Index]":
    """What builds an index of documents in a folder, with a system and its settings."""
    import dragoman
    from dragoman.indexes.build import build

    paths = {"lexicons": lexicons, "students": students}
    chosen = {name: [str(one) for one in mine] for name, mine in paths.items() if mine}
    return partial(
        build,
        system=system or dragoman.default_system(),
        version=dragoman.__version__,
        settings={**chosen, **settings},
    )
