"""Options of the commands that build an index, and the function that builds one with them."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli.inputs import readable

if TYPE_CHECKING:
    from collections.abc import Callable

    from dragoman.indexes.index import Index

SystemName = Annotated[
    str,
    typer.Option(
        "--system",
        help="The system that ranks: hybrid, psq, dense ...",
        show_default="hybrid where the sentence encoder is installed, else psq",
    ),
]
CandidateLanguages = Annotated[
    str,
    typer.Option(
        "--languages", help="Detect only these languages, as in de,fr,it.", show_default=False
    ),
]
Lexicons = Annotated[
    list[Path] | None,
    typer.Option(
        "--lexicon",
        help="A translation table of your own, from `dragoman learn lexicon`; repeat it for more.",
        callback=readable,
    ),
]
Students = Annotated[
    list[Path] | None,
    typer.Option(
        "--student",
        help="A student encoder of your own, from `dragoman learn encoder`; repeat it for more.",
        callback=readable,
    ),
]


def builder(
    system: str, lexicons: list[Path] | None, students: list[Path] | None, **settings: object
) -> "Callable[..., Index]":
    """A function that builds an index of documents in a folder, with a system and its settings.

    Settings that are empty or None are left out; paths become strings.
    """
    import dragoman
    from dragoman.indexes.build import build

    given = {"lexicons": lexicons, "students": students, **settings}
    return partial(
        build,
        system=system or dragoman.default_system(),
        version=dragoman.__version__,
        settings={name: _plain(value) for name, value in given.items() if value},
    )


def refuse_other_build(
    folder: Path,
    system: str,
    lexicons: list[Path] | None,
    students: list[Path] | None,
    **settings: object,
) -> None:
    """Refuse options that an existing index cannot follow: it has a system and tables."""
    from dragoman.errors import UserError
    from dragoman.indexes.manifest import MANIFEST, Manifest

    if not (folder / MANIFEST).is_file():
        return
    built = Manifest.read(folder).system
    if system and system != built:
        raise UserError(
            f"{folder} was built with --system {built}; found --system {system}."
            " Leave the option out, or build another index."
        )
    for name, value in {"lexicon": lexicons, "student": students, **settings}.items():
        if value:
            raise UserError(
                f"{folder} has its tables, encoders and models inside; found"
                f" --{name.replace('_', '-')}, which is an option of a first build. Build another"
                " index to use others."
            )


def _plain(value: object) -> object:
    """``value`` as it is saved in a manifest."""
    if isinstance(value, list):
        return [str(path) for path in value]
    return str(value) if isinstance(value, Path) else value
