"""The texts of a folder -> the language of each run of paragraphs, with the folder as the prior.

Two passes: a census counts what is certain, then every text is decided with the census as prior, so
that a language with hardly any evidence is not invented for a few odd lines.
"""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from dragoman.errors import UnknownLanguage
from dragoman.text.language_detection import Detector
from dragoman.text.languages import canonical


class LanguageRun(NamedTuple):
    """Consecutive text in one language: offsets in a text, and whether the text itself decides."""

    language: str
    start: int
    end: int
    certain: bool


class Census:
    """How many texts there are in which language; ``known`` are those that were there before."""

    def __init__(self, known: Mapping[str, int], candidates: tuple[str, ...] = ()) -> None:
        self.counts = Counter(known)
        self._candidates = candidates
        self._detector = Detector(candidates or None)

    def count(self, text: str, declared: str = "") -> None:
        """Take a text into account."""
        if code := declared_language(declared):
            self.counts[code] += 1
        elif (guess := self._detector.detect(text)).certain:
            self.counts[guess.language] += 1

    def runs(self, text: str, declared: str = "") -> list[LanguageRun]:
        """The languages of a text, in order."""
        if code := declared_language(declared):
            return [LanguageRun(code, 0, len(text), True)]
        detector = Detector(self.counts) if self.counts else self._detector
        guess = detector.detect(text)
        return [LanguageRun(guess.language, 0, len(text), guess.certain)]


def declared_language(declared: str) -> str:
    """The canonical code of what a file declares; "" where that is no language."""
    try:
        return canonical(declared) if declared else ""
    except UnknownLanguage:
        return ""
