"""A query's words -> one word each in the documents' language, the best under a language model.

Balikas et al. 2018, section 4, pick one dictionary candidate per word by a unigram model of the
target text. With a table of probabilities this is the noisy channel: the argmax over t of
p(word | t) p(t), with p(t) from the documents that are searched.
"""

from functools import lru_cache
from typing import Protocol

from dragoman.lexicons.lexicon import Lexicon
from dragoman.lexicons.tables import PIVOT, Tables

CANDIDATES = 10
CACHED_WORDS = 1 << 16


class Target(Protocol):
    """The words of the documents in one language."""

    @property
    def language(self) -> str:
        """Which language."""
        ...

    def frequency(self, word: str) -> float:
        """How many documents have ``word``; 0 where none has."""
        ...


class WordTranslator:
    """Translates word by word, through the pivot where neither language is it."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._candidates = lru_cache(CACHED_WORDS)(self._find)

    def translate(self, word: str, source: str, target: Target) -> str:
        """The candidate that explains ``word`` best and is a likely word of the documents.

        A word without a candidate that the documents know stays as it is.
        """
        if source == target.language:
            return word
        ranked = [
            (likelihood * frequency, candidate)
            for candidate, likelihood in self._candidates(word, source, target.language)
            if (frequency := target.frequency(candidate))
        ]
        return max(ranked)[1] if ranked else word

    def _find(self, word: str, source: str, target: str) -> tuple[tuple[str, float], ...]:
        """Words of ``target`` with p(word | candidate)."""
        into, out_of = self._tables.table(source), self._tables.table(target)
        if source == PIVOT:
            return _channel(out_of.reversed(), word) if out_of else ()
        if target == PIVOT:
            return _channel(into, word) if into else ()
        if into is None or out_of is None:
            return ()
        best: dict[str, float] = {}
        back = out_of.reversed()
        for middle, outer in _channel(into, word):
            for candidate, inner in _channel(back, middle):
                best[candidate] = max(best.get(candidate, 0.0), outer * inner)
        return tuple(best.items())


def _channel(table: Lexicon, word: str) -> tuple[tuple[str, float], ...]:
    """The likeliest translations of ``word``, with the probability that they become it."""
    source = table.source_words.ids.get(word)
    if source is None:
        return ()
    found = []
    for candidate, _ in table.translations(word, CANDIDATES):
        start, end = table.backward.indptr[(row := table.target_words.ids[candidate]) : row + 2]
        back = table.backward.data[start:end][table.backward.indices[start:end] == source]
        found.append((candidate, float(back.sum())))
    return tuple(found)
