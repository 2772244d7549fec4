"""Language codes and names: whatever standard a code comes from -> one canonical code.

Canonical is the ISO 639-1 code where one exists, else the ISO 639-3 code, without script or region.
A macrolanguage's predominant member is mapped to it, as in CLDR (cmn -> zh, arb -> ar).
"""

from collections.abc import Mapping
from functools import lru_cache
from importlib import resources

from dragoman.errors import ConfigError, UnknownLanguage

# Codes for which CLDR prefers another than the tables that we ship, and written standards of one
# language that share stop words and stemmer.
_FOLDED = {"fil": "tl", "nb": "no", "nn": "no"}
NO_LANGUAGE = frozenset({"", "und", "mul", "mis", "zxx"})
_PRIVATE = ("qaa", "qtz")


@lru_cache(maxsize=4096)
def canonical(code: str) -> str:
    """The one code this package uses for a language, whatever standard ``code`` comes from.

    Case is ignored; subtags may be joined by ``-`` or ``_``.
    """
    if code in _names():  # canonical already; the tables of all codes take long to load
        return code
    import langcodes  # noqa: PLC0415
    from langcodes.tag_parser import LanguageTagError  # noqa: PLC0415

    try:
        tag = langcodes.Language.get(code.strip(), normalize=True)
    except LanguageTagError as error:
        raise UnknownLanguage(code) from error
    language = tag.prefer_macrolanguage().language or ""
    private = len(language) == 3 and _PRIVATE[0] <= language <= _PRIVATE[1]
    if language in NO_LANGUAGE or private or not langcodes.tag_is_valid(language):
        raise UnknownLanguage(code)
    return _FOLDED.get(language, language)


def name(code: str) -> str:
    """The English name of a language; the canonical code where our table has no name for it."""
    language = canonical(code)
    return _names().get(language, language)


@lru_cache(maxsize=1)
def _names() -> Mapping[str, str]:
    table = resources.files("dragoman.text") / "data" / "language_names.tsv"
    lines = table.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t") for line in lines)


def parse_pair(text: str) -> tuple[str, str]:
    """The two canonical codes of ``"en-sw"``; the same language twice is an error."""
    parts = text.split("-")
    if len(parts) != 2:
        raise ConfigError(
            f"Found the language pair {text!r}; expected two codes joined by a hyphen, as in en-sw."
        )
    source, target = canonical(parts[0]), canonical(parts[1])
    if source == target:
        raise ConfigError(
            f"Found the language pair {text!r}, which names {name(source)} twice;"
            " expected two languages, as in en-sw."
        )
    return source, target


def parse_list(text: str) -> tuple[str, ...]:
    """The canonical codes of ``"en,fr"``, each once, in the order given."""
    parts = [part for part in text.split(",") if part.strip()]
    if not parts:
        raise ConfigError(f"Found no language in {text!r}; expected codes, as in en,fr.")
    return tuple(dict.fromkeys(map(canonical, parts)))
