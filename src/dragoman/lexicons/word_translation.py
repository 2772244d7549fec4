"""A query word -> one word of the documents' language, the best under a language model.

Balikas et al. 2018, section 4, pick one dictionary candidate per word by a unigram model of the
target text. With a translation table this is the noisy channel: the argmax over t of
p(word | t) p(t), with p(t) from the searched documents.
"""

from functools import lru_cache
from typing import Protocol

from dragoman.lexicons.lexicon import Lexicon
from dragoman.lexicons.translation_tables import PIVOT, TranslationTables

CANDIDATES = 10
CACHED_WORDS = 1 << 16


class DocumentFrequencies(Protocol):
    """The document frequencies of one language."""

    @property
    def language(self) -> str:
        """The documents' language."""
        ...

    def frequency(self, term: str) -> float:
        """The number of documents with ``term``; 0 if there is none."""
        ...


class WordTranslator:
    """Translates word by word, through the pivot if it is neither language."""

    def __init__(self, tables: TranslationTables) -> None:
        self._tables = tables
        self._candidates = lru_cache(CACHED_WORDS)(self._find_candidates)

    def translate(self, word: str, source: str, target: DocumentFrequencies) -> str:
        """The candidate with the highest p(word | candidate) p(candidate).

        A word without a candidate among the documents' words is returned unchanged.
        """
        if source == target.language:
            return word
        ranked = [
            (likelihood * frequency, candidate)
            for candidate, likelihood in self._candidates(word, source, target.language)
            if (frequency := target.frequency(candidate))
        ]
        return max(ranked)[1] if ranked else word

    def _find_candidates(
        self, word: str, source: str, target: str
    ) -> tuple[tuple[str, float], ...]:
        """Words of ``target`` with p(word | candidate)."""
        into, out_of = self._tables.table(source), self._tables.table(target)
        if source == PIVOT:
            return _channel(out_of.reversed(), word) if out_of else ()
        if target == PIVOT:
            return _channel(into, word) if into else ()
        if into is None or out_of is None:
            return ()
        best: dict[str, float] = {}
        from_pivot = out_of.reversed()
        for pivot_word, outer in _channel(into, word):
            for candidate, inner in _channel(from_pivot, pivot_word):
                best[candidate] = max(best.get(candidate, 0.0), outer * inner)
        return tuple(best.items())


def _channel(table: Lexicon, word: str) -> tuple[tuple[str, float], ...]:
    """The most probable translations of ``word``, with p(word | translation)."""
    source = table.source_words.ids.get(word)
    if source is None:
        return ()
    candidates = []
    for candidate, _ in table.translations(word, CANDIDATES):
        start, end = table.backward.indptr[(row := table.target_words.ids[candidate]) : row + 2]
        backward = table.backward.data[start:end][table.backward.indices[start:end] == source]
        candidates.append((candidate, float(backward.sum())))
    return tuple(candidates)
