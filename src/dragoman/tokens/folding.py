"""Words -> one spelling for all the spellings of a word that writers of a language mix.

There are two steps, because a stemmer needs some distinctions that the index should not have:
``before`` runs before the stemmer, ``after`` on its result. ``FOLDINGS`` has one entry a language.
"""

import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Table = dict[int, str | None]


def _letters(written: str, unified: str) -> Table:
    return {ord(one): other for one, other in zip(written, unified, strict=True)}


_ARABIC_MARKS = (*range(0x0610, 0x061B), *range(0x064B, 0x0660), 0x0670, *range(0x06D6, 0x06DD))
_HEBREW_POINTS = (*range(0x0591, 0x05BE), 0x05BF, 0x05C1, 0x05C2, 0x05C4, 0x05C5, 0x05C7)
_ARABIC: Table = dict.fromkeys(
    [*_ARABIC_MARKS, 0x0640], None
)  # and tatweel, which stretches a word
_HEBREW: Table = dict.fromkeys(_HEBREW_POINTS, None)
_STRESS: Table = {
    0x0300: None,
    0x0301: None,
}  # accents that NFKC does not compose with a Cyrillic vowel

# Letters that Arabic writers mix: alef with or without hamza or madda, alef maqsura for ya, ha for
# ta marbuta.
_ARABIC_LETTERS = _letters("أإآٱىة", "اااايه")
_PERSIAN_LETTERS = _letters("يىك", "ییک")
_URDU_LETTERS = _letters("يىكه", "ییکہ")
_ZERO_WIDTH_NON_JOINER: Table = {0x200C: None}

_NUKTA: Table = {0x093C: None, 0x0929: "न", 0x0931: "र", 0x0934: "ळ", 0x0901: "ं"}
_HOMORGANIC_NASAL = re.compile("ङ्(?=[क-घ])|ञ्(?=[च-झ])|ण्(?=[ट-ढ])|न्(?=[त-ध])|म्(?=[प-भ])")
DOTLESS_I: Table = {ord("I"): "ı", ord("İ"): "i"}


@dataclass(frozen=True)
class Folding:
    """The two folding steps of one language."""

    notes: tuple[str, ...]  # descriptions of what is done beyond NFKC and case folding
    before: Callable[[str], str]
    after: Callable[[str], str]


def fold_case(word: str) -> str:
    """NFKC and full case folding, without the combining dot left by a Turkish İ."""
    return unicodedata.normalize("NFKC", word.casefold().replace("i\u0307", "i"))


def _unchanged(word: str) -> str:
    return word


def _turkish(word: str) -> str:
    return fold_case(word.translate(DOTLESS_I))


def _greek(word: str) -> str:
    apart = unicodedata.normalize("NFD", fold_case(word))
    bare = "".join(char for char in apart if not unicodedata.combining(char))
    return unicodedata.normalize("NFC", bare)


def _devanagari(word: str) -> str:
    bare = unicodedata.normalize("NFKC", fold_case(word).translate(_NUKTA))
    return _HOMORGANIC_NASAL.sub("ं", bare)


def _by_table(table: Table) -> Callable[[str], str]:
    def fold(word: str) -> str:
        if word.isascii():
            return word.lower()
        return unicodedata.normalize("NFKC", fold_case(word).translate(table))

    return fold


def _translating(table: Table) -> Callable[[str], str]:
    return lambda word: word.translate(table)


_GENERAL = Folding((), _by_table(_ARABIC | _HEBREW), _unchanged)
_INDIC = Folding(("nukta removed", "nasals written as anusvara"), _devanagari, _unchanged)
_CYRILLIC = Folding(("stress marks removed",), _by_table(_ARABIC | _HEBREW | _STRESS), _unchanged)
_TURKIC = Folding(("dotted and dotless i distinguished",), _turkish, _unchanged)
_HELLENIC = Folding(("accents removed",), _greek, _unchanged)

FOLDINGS: Mapping[str, Folding] = {
    "ar": Folding(
        ("diacritics and tatweel removed", "alef, ya and ta marbuta unified"),
        _by_table(_ARABIC | _HEBREW),
        _translating(_ARABIC_LETTERS),
    ),
    "az": _TURKIC,
    "be": _CYRILLIC,
    "bg": _CYRILLIC,
    "crh": _TURKIC,
    "el": _HELLENIC,
    "fa": Folding(
        ("diacritics and tatweel removed", "ya and kaf unified"),
        _by_table(_ARABIC | _PERSIAN_LETTERS),
        _translating(_ZERO_WIDTH_NON_JOINER),
    ),
    "grc": _HELLENIC,
    "he": Folding(("points removed",), _by_table(_ARABIC | _HEBREW), _unchanged),
    "hi": _INDIC,
    "mk": _CYRILLIC,
    "mr": _INDIC,
    "ne": _INDIC,
    "ru": Folding(
        ("stress marks removed", "ё written as е"),
        _by_table(_ARABIC | _HEBREW | _STRESS | {ord("ё"): "е"}),
        _unchanged,
    ),
    "sr": _CYRILLIC,
    "tr": _TURKIC,
    "uk": _CYRILLIC,
    "ur": Folding(
        ("diacritics and tatweel removed", "ya, kaf and ha unified"),
        _by_table(_ARABIC | _URDU_LETTERS),
        _unchanged,
    ),
    "yi": Folding((), _by_table(_ARABIC), _unchanged),  # its vowels differ by points
}


def folding(language: str) -> Folding:
    """The folding of a canonical language; the general one for languages without an entry."""
    return FOLDINGS.get(language, _GENERAL)
