"""Words -> the installed fonts that have their letters; the others are drawn in Latin letters."""

import unicodedata
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from matplotlib.font_manager import (
    FontEntry,
    FontProperties,
    findSystemFonts,
    fontManager,
    get_font,
)

from dragoman.lexicons.sounds.transliteration import romanised

LONGEST_WORD = 22  # characters; the rest of a longer word is cut
FONT = "DejaVu Sans"  # comes with matplotlib
LAST_RESORT = "Last Resort"  # draws the same frame for every character
NO_GLYPH = "□"
LISTED = 8  # letters in a warning
CJK, SYMBOLS, OTHERS = "fonts-noto-cjk", "fonts-symbola", "fonts-noto-core"  # Debian's packages
EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC", "FULLWIDTH")


@dataclass(frozen=True, slots=True)
class FontChoice:
    """The fonts that draw some words, their characters, and those that no installed font has."""

    families: tuple[str, ...]
    glyphs: frozenset[str]
    missing: frozenset[str]

    @classmethod
    def of(cls, words: Iterable[str]) -> "FontChoice":
        """The bundled font, and other installed ones for the letters that it lacks."""
        families, glyphs = [FONT], _glyphs(fontManager.findfont(FONT))
        letters = frozenset(char for char in "".join(words) if unicodedata.category(char) != "Cf")
        if letters - glyphs:
            _register_new_fonts()
        while missing := letters - glyphs:
            font = max(_plain_fonts(), key=lambda font: _suitability(font, missing))
            if not missing & _glyphs(font.fname):
                break
            families.append(font.name)
            glyphs |= _glyphs(font.fname)
        return cls(tuple(families), glyphs, letters - glyphs)

    def drawn(self, word: str, longest: int = LONGEST_WORD) -> str:
        """The word as drawn: in Latin letters where a font is missing, cut where it is long."""
        if self.missing.intersection(word):
            composed = unicodedata.normalize("NFC", romanised(word))
            word = "".join(char if char in self.glyphs else NO_GLYPH for char in composed)
        return word if len(word) <= longest else f"{word[: longest - 1].rstrip()}…"

    def properties(self, size: float, *, bold: bool = False) -> FontProperties:
        """The fonts at a size in points; bold ones only where the bundled font draws all."""
        weight = "bold" if bold and self.families == (FONT,) else "normal"
        return FontProperties(family=list(self.families), size=size, weight=weight)

    def warnings(self, words: Sequence[str]) -> list[str]:
        """A warning where some words are not drawn in their own script, with what to install."""
        if not self.missing:
            return []
        affected = sum(1 for word in words if self.missing.intersection(word))
        letters = sorted(self.missing)
        more = f" and {len(letters) - LISTED} more" if len(letters) > LISTED else ""
        packages = sorted({_package(char) for char in letters})
        return [
            f"No installed font has the letters {' '.join(letters[:LISTED])}{more}: {affected} of"
            f" {len(words)} words are drawn in Latin letters, or as {NO_GLYPH} where there is"
            f" no transliteration. Fonts for them, on Debian: apt install {' '.join(packages)}"
        ]


def _register_new_fonts() -> None:
    """Add fonts that were installed after matplotlib had listed the system's fonts."""
    known = {font.fname for font in fontManager.ttflist}
    for path in findSystemFonts():
        if path not in known:
            with suppress(RuntimeError, OSError):  # formats that matplotlib cannot read
                fontManager.addfont(path)


def _plain_fonts() -> list[FontEntry]:
    return [
        font
        for font in fontManager.ttflist
        if font.style == "normal"
        and font.weight in {400, "normal", "regular"}
        and LAST_RESORT not in font.name
    ]


def _suitability(font: FontEntry, missing: frozenset[str]) -> tuple[int, bool, int, str]:
    """More of the missing letters first, then a font without serifs, then the shortest name."""
    return (len(missing & _glyphs(font.fname)), "Sans" in font.name, -len(font.name), font.name)


def _package(char: str) -> str:
    """The package of Debian that has a font with a character."""
    if unicodedata.name(char, "").startswith(EAST_ASIAN):
        return CJK
    return SYMBOLS if unicodedata.category(char) == "So" else OTHERS


@cache
def _glyphs(path: str) -> frozenset[str]:
    """The characters that a font has; none where it cannot be read."""
    try:
        return frozenset(map(chr, get_font(path).get_charmap())) | frozenset("\n\t ")
    except (RuntimeError, OSError):
        return frozenset()
