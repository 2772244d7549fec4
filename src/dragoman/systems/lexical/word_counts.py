"""Texts -> bags of numbered words, each language with numbers of its own."""

from array import array
from collections import Counter
from threading import Lock
from typing import NamedTuple

from dragoman.lexicons.analysis import LexicalAnalyzer
from dragoman.types import Text


class WordBag(NamedTuple):
    """The distinct words of a text in the order in which they first come."""

    numbers: bytes  # of the words, as C integers
    counts: bytes  # how often each comes, likewise
    length: int  # how many words there are, the same one counted every time


class WordNumbers(dict[str, int]):
    """Word -> its number, given when it is first met; ``words`` is the way back."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._lock = Lock()

    def __missing__(self, word: str) -> int:
        with self._lock:
            if word not in self:
                self.words.append(word)
                self[word] = len(self.words) - 1
        return self[word]


class WordCounter:
    """Counts the words of texts."""

    def __init__(self, reader: LexicalAnalyzer) -> None:
        self._reader = reader
        self._numbers: dict[str, WordNumbers] = {}

    def __call__(self, text: Text) -> WordBag:
        """The bag of ``text``."""
        words = self._reader(text.body, text.language)
        counts = Counter(words)
        # from a list, because an array takes that sooner than an iterator
        numbers = array("i", [*map(self.numbers(text.language).__getitem__, counts)])
        return WordBag(numbers.tobytes(), array("i", [*counts.values()]).tobytes(), len(words))

    def numbers(self, language: str) -> WordNumbers:
        """Those of a language's words; the same for all threads, whichever asks first."""
        numbers = self._numbers.get(language)
        return self._numbers.setdefault(language, WordNumbers()) if numbers is None else numbers
