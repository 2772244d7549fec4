"""Words -> the installed fonts that have their letters; the others are drawn in Latin letters."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from matplotlib.font_manager import FontProperties, fontManager, get_font

from dragoman.lexicons.sounds.transliteration import romanised

LONGEST_WORD = 22  # characters; the rest of a longer word is cut
FONT = "DejaVu Sans"  # comes with matplotlib
LAST_RESORT = "Last Resort"  # draws the same frame for every character
NO_GLYPH = "□"


@dataclass(frozen=True, slots=True)
class FontChoice:
    """The fonts that draw some words, and the characters that none of them has."""

    families: tuple[str, ...]
    missing: frozenset[str]

    @classmethod
    def of(cls, words: Iterable[str]) -> "FontChoice":
        """The bundled font, and other installed ones for the letters that it lacks."""
        families = [FONT]
        missing = frozenset("".join(words)) - _glyphs(_font_file(FONT))
        missing = frozenset(char for char in missing if unicodedata.category(char) != "Cf")
        for font in sorted(fontManager.ttflist, key=lambda font: (font.name, font.fname)):
            if not missing:
                break
            plain = font.style == "normal" and font.weight in {400, "normal", "regular"}
            if plain and LAST_RESORT not in font.name and (missing & _glyphs(font.fname)):
                missing -= _glyphs(font.fname)
                families.append(font.name)
        return cls(tuple(families), missing)

    def drawn(self, word: str, longest: int = LONGEST_WORD) -> str:
        """The word as drawn: in Latin letters where a font is missing, cut where it is long."""
        if self.missing.intersection(word):
            word = "".join(NO_GLYPH if char in self.missing else char for char in romanised(word))
        return word if len(word) <= longest else f"{word[: longest - 1].rstrip()}…"

    def properties(self, size: float, *, bold: bool = False) -> FontProperties:
        """The fonts at a size in points."""
        weight = "bold" if bold else "normal"
        return FontProperties(family=list(self.families), size=size, weight=weight)

    def warnings(self, words: Sequence[str]) -> list[str]:
        """A warning where some words are not drawn in their own script."""
        if not self.missing:
            return []
        affected = sum(1 for word in words if self.missing.intersection(word))
        return [
            f"No installed font has the letters {' '.join(sorted(self.missing))}: {affected} of"
            f" {len(words)} words are drawn in Latin letters, or as {NO_GLYPH} where there is"
            " no transliteration. Install a font for the script, as in Debian's fonts-noto-core and"
            " fonts-noto-cjk."
        ]


def _font_file(family: str) -> str:
    return fontManager.findfont(family)


def _glyphs(path: str) -> frozenset[str]:
    return frozenset(map(chr, get_font(path).get_charmap())) | frozenset("\n\t ")
