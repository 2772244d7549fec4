"""A query's word -> the dimensions in which psq searches documents of one language.

The translations of a word depend on the tables alone and are cached; how often its dimensions
occur is the snapshot's, and is looked up for all words and languages of a query together.
"""

from collections.abc import Iterable
from typing import NamedTuple

from dragoman.lexicons.translation_tables import PIVOT
from dragoman.systems.lexical.dimensions import Side, word_dimensions
from dragoman.systems.lexical.pivoting import PivotMapper

# A translation's weight is this power of its probability. A sum of impacts that were saturated one
# by one undervalues a word whose probability is spread over several translations in a document.
SPREAD = 0.5

RESEMBLANCE = 0.8  # how far a word that only sounds like the query's is trusted
MOST_NAMES = 3  # words of the documents that may be the same name
CACHED_WORDS = 1 << 16


class Alternatives(NamedTuple):
    """Dimensions that one word may be met in, with probabilities; one set of synonyms."""

    dimensions: tuple[int, ...]
    probabilities: tuple[float, ...]
    is_name: bool  # no table knows the word: names that sound like it are looked for too


class Expansion(dict[str, Alternatives]):
    """Words of queries in one language -> alternatives in documents of another."""

    def __init__(self, mapper: PivotMapper, language: str, searched: str) -> None:
        super().__init__()
        self._language, self._searched = language, searched
        side = Side.OWN if searched in (language, PIVOT) else Side.PIVOT
        self._dimensions = word_dimensions(searched, side)
        if language != searched:
            self._translatable = mapper.translatable(language, searched)
            self._meanings = None if language == PIVOT else mapper.meanings(language)

    def __missing__(self, word: str) -> Alternatives:
        if len(self) >= CACHED_WORDS:
            self.clear()
        alternatives = self[word] = self._alternatives(word)
        return alternatives

    def _alternatives(self, word: str) -> Alternatives:
        if self._language == self._searched:
            return Alternatives((self._dimensions[word],), (1.0,), False)
        meanings = {word: 1.0} if self._meanings is None else self._meanings[word]
        return Alternatives(
            tuple([self._dimensions[meaning] for meaning in meanings]),
            tuple(meanings.values()),
            word not in self._translatable,
        )


def resembling(near: Iterable[tuple[str, float]], language: str) -> Alternatives:
    """Words of the documents that may be the same name, as alternatives."""
    listed, dimensions = [*near], word_dimensions(language, Side.OWN)
    return Alternatives(
        tuple(dimensions[word] for word, _ in listed),
        tuple(RESEMBLANCE * alike for _, alike in listed),
        False,
    )
