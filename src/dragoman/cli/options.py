"""Options that several commands have, each with one name, one check and one help."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from dragoman.errors import UnknownName
from dragoman.text.files import OnError

Part = TypeVar("Part", bound=StrEnum)

AtBadLines = Annotated[OnError, typer.Option(help="At a bad line: stop, or skip and count.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]

# of training
GradedCollection = Annotated[
    str,
    typer.Argument(
        help="A collection with graded judgments and the splits train, validation and test.",
        show_default=False,
    ),
]
OnePair = Annotated[
    str, typer.Option(help="Queries and documents of one pair only, as in en-it; default all.")
]
ModelFolder = Annotated[
    Path, typer.Option("-o", "--output", help="The model's folder.", show_default=False)
]
LearningRate = Annotated[float | None, typer.Option(help="Adam's step.")]
Seed = Annotated[int, typer.Option(min=0, help="Decides first vectors and order.")]
Restart = Annotated[bool, typer.Option("--restart", help="Forget an interrupted training.")]

# of what reproduces a paper
ReportFolder = Annotated[
    Path, typer.Option("-o", "--output", help="The report's folder.", show_default=False)
]
AlsoPage = Annotated[
    Path | None, typer.Option(help="Also a page of results, whose section is replaced.")
]


def chosen_parts(text: str, parts: type[Part]) -> list[Part]:
    """The parts named in ``text``, joined by commas; all of them where it is empty."""
    known = [part.value for part in parts]
    names = [name.strip() for name in text.split(",")] if text else known
    for name in names:
        if name not in known:
            raise UnknownName(name, known, "part")
    return [parts(name) for name in names]
