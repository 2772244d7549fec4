"""The lexicons in the package's data: English with eighteen languages."""

from functools import cache
from pathlib import Path

from dragoman.errors import UnknownName
from dragoman.lexicons.lexicon import Lexicon

PIVOT = "en"
SUFFIX = ".lexicon"
DATA = Path(__file__).parent / "data"


@cache
def shipped_languages() -> tuple[str, ...]:
    """The languages with a shipped lexicon."""
    return tuple(sorted(path.name.removesuffix(SUFFIX) for path in DATA.glob(f"*{SUFFIX}")))


@cache
def shipped_lexicon(language: str) -> Lexicon:
    """The lexicon from English to ``language`` (a canonical code); read once per process."""
    known = shipped_languages()
    if language not in known:
        raise UnknownName(language, known, "language with a shipped lexicon")
    return Lexicon.unpack(DATA / f"{language}{SUFFIX}")
