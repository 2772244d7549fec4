"""A word of a language -> the dimension that its postings are under.

A dimension is a hash, so that no vocabulary has to follow added and deleted documents.
A collection of a million distinct words meets about a hundred collisions among 2**32, each of which
adds the postings of one more word to a rare query.
"""

from enum import StrEnum
from functools import cache
from hashlib import blake2b


class Side(StrEnum):
    """Which words a dimension is of."""

    OWN = "own"  # the documents' own
    PIVOT = "pivot"  # those of the pivot language that they stand for


CACHED_WORDS = 1 << 16  # of a language and side; some 8 MB when full


class WordDimensions(dict[str, int]):
    """Words of documents in one language -> their dimensions: 32 bits of the hash of each.

    Strings and numbers alone, which Python's garbage collector does not track: there may be many.
    """

    def __init__(self, language: str, side: Side) -> None:
        super().__init__()
        self._start = f"{language}\t{side}\t"

    def __missing__(self, word: str) -> int:
        if len(self) >= CACHED_WORDS:
            self.clear()
        text = f"{self._start}{word}".encode("utf-8", "surrogatepass")
        number = self[word] = int.from_bytes(blake2b(text, digest_size=4).digest(), "little")
        return number


@cache
def word_dimensions(language: str, side: Side) -> WordDimensions:
    """The dimensions of words of documents in ``language``."""
    return WordDimensions(language, side)


def dimension(language: str, side: Side, word: str) -> int:
    """The dimension of one word of documents in ``language``."""
    return word_dimensions(language, side)[word]
