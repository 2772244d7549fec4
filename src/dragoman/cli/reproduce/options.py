"""Options that the ``dragoman reproduce`` commands share."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from dragoman.cli.options import output_file
from dragoman.errors import UnknownName

Part = TypeVar("Part", bound=StrEnum)
Setting = TypeVar("Setting")

DURATIONS = {
    "tiny": "a minute",
    "small": "minutes",
    "medium": "an hour",
    "full": "hours",
    "paper": "the paper's size, for a GPU",
}

DataFolder = Annotated[
    Path,
    typer.Argument(
        metavar="DATA",
        help="A folder of evaluation data: xquad-r, afriqa-XX and bitext/en-XX.tsv.gz, those that"
        " the tables need.",
        show_default=False,
    ),
]
AgainstEnglish = Annotated[
    str, typer.Option("--languages", help="Languages to measure against English, as in fr,de.")
]
CollectionFolders = Annotated[
    list[Path] | None,
    typer.Option(
        "--collection",
        metavar="FOLDER",
        help="A folder that `dragoman collection get` wrote, to measure too; repeat it for more.",
        show_default=False,
    ),
]
QueryLimit = Annotated[
    int | None,
    typer.Option("--queries", min=1, help="Queries per language pair at most."),
]
CacheFolder = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="FOLDER",
        help="Where indexes and learnt models are stored, to be used again next time.",
    ),
]
ResultsPage = Annotated[
    Path,
    typer.Option(
        "-o", "--output", help="The page whose section is replaced.", callback=output_file
    ),
]
ExtraPage = Annotated[
    Path | None,
    typer.Option(
        "--page", help="A page of results whose section is replaced too.", callback=output_file
    ),
]
SectionName = Annotated[
    str,
    typer.Option(
        "--section",
        help="Write a section of its own under this name, such as general-vectors.",
        show_default=False,
    ),
]


def scale_option(*names: str) -> Any:  # noqa: ANN401 - as typer.Option
    """``--scale`` with the names it takes and how long each lasts."""
    *others, last = (f"{name} ({DURATIONS[name]})" for name in names)
    help_text = f"How much to train and measure: {', '.join(others)} or {last}."
    return typer.Option("--scale", help=help_text)


def parts_option(*names: str) -> Any:  # noqa: ANN401 - as typer.Option
    """``--parts`` with the names it takes."""
    help_text = f"The parts to measure, joined by commas: {', '.join(names)}."
    return typer.Option("--parts", help=help_text, show_default="all")


def parse_scale(name: str, scales: Mapping[str, Setting]) -> Setting:
    """The scale with this name."""
    if name not in scales:
        raise UnknownName(name, scales, "scale")
    return scales[name]


def parse_parts(text: str, parts: type[Part], kind: str = "part") -> list[Part]:
    """The parts that ``text`` names, joined by commas; all of them where it is empty."""
    known = [part.value for part in parts]
    names = [name.strip() for name in text.split(",")] if text else known
    for name in names:
        if name not in known:
            raise UnknownName(name, known, kind)
    return [parts(name) for name in names]
