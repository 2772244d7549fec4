"""Language codes of MTEB, as in ``swa-Latn``: ISO 639-3 and a script of ISO 15924."""

from collections.abc import Iterable

import langcodes

from dragoman.errors import UnknownLanguage
from dragoman.text.languages import canonical


def mteb_code(language: str) -> str:
    """MTEB's code of a language, with the script that it is usually written in."""
    code = langcodes.Language.get(canonical(language))
    return f"{code.to_alpha3()}-{code.maximize().script or 'Latn'}"


def canonical_codes(codes: Iterable[str]) -> list[str]:
    """The codes of this package for those of MTEB, each once; programming languages have none."""
    known: dict[str, None] = {}
    for code in codes:
        try:
            known[canonical(code)] = None
        except UnknownLanguage:
            continue
    return list(known)
