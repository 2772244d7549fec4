"""The tables that come with the package: English with eighteen languages, read from its data."""

from functools import cache
from pathlib import Path

from dragoman.errors import UnknownName
from dragoman.lexicons.lexicon import Lexicon

PIVOT = "en"
ENDING = ".lexicon"
DATA = Path(__file__).parent / "data"


@cache
def available() -> tuple[str, ...]:
    """The languages that have a table with English."""
    return tuple(sorted(path.name.removesuffix(ENDING) for path in DATA.glob(f"*{ENDING}")))


@cache
def shipped(language: str) -> Lexicon:
    """The table from English to ``language`` (a canonical code); read once in a process."""
    known = available()
    if language not in known:
        raise UnknownName(language, known, "language with a shipped lexicon")
    return Lexicon.unpack(DATA / f"{language}{ENDING}")
