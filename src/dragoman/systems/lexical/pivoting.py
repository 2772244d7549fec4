"""A word of any language -> the pivot words it may stand for, with probabilities.

A word that the table knows is translated by it. For another one the fallbacks below are asked; what
they answer is trusted less, by weights that were measured over all development languages together.
"""

from collections.abc import Mapping

from dragoman.lexicons.lexicon import Lexicon
from dragoman.systems.lexical.neighbours import (
    Neighbours,
    is_word,
    nearest_spelling,
    spelling_blocks,
)
from dragoman.systems.lexical.strings import Strings
from dragoman.systems.lexical.tables import PIVOT, Tables
from dragoman.systems.lexical.transliteration import romanised
from dragoman.tokens.compounds import CompoundSplitter

Meanings = Mapping[str, float]

# What is kept of a word's translations.
MASS, TOP, THRESHOLD = 0.9, 10, 0.01

# How far an answer is trusted: the meanings of a compound's parts, those of the word that is
# spelt most like it, the word itself in Latin letters.
PARTS, INFLECTION, ITSELF = 0.8, 0.6, 0.9


class PivotMapper:
    """Maps words into the pivot; every distinct word is worked out once."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._languages: dict[str, _LanguageMap] = {}

    def pivots(self, word: str, language: str) -> Meanings:
        """Pivot words with p(pivot word | word)."""
        found = self._languages.get(language)
        if found is None:
            table = None if language == PIVOT else self._tables.table(language)
            found = self._languages[language] = _LanguageMap(language, table)
        return found[word]

    def knows(self, word: str, language: str, searched: str) -> bool:
        """Whether a table on the way from ``language`` to ``searched`` translates the word."""
        if language == PIVOT:
            table = self._tables.table(searched)
            return table is not None and word in table.target_words
        table = self._tables.table(language)
        return table is not None and word in table.source_words


class _LanguageMap(dict[str, Meanings]):
    """Word -> meanings in one language."""

    def __init__(self, language: str, table: Lexicon | None) -> None:
        super().__init__()
        self._table = table
        if table is not None:
            counts = dict(zip(table.source_words, table.source_counts.tolist(), strict=True))
            self._splitter = CompoundSplitter.train(counts, language)
            self._spellings = Neighbours.of(Strings.pack(table.source_words), spelling_blocks)

    def __missing__(self, word: str) -> Meanings:
        meanings = self[word] = self._meanings(word)
        return meanings

    def _meanings(self, word: str) -> Meanings:
        if self._table is None or not is_word(word):
            return {romanised(word): 1.0}
        if known := self._translated(word):
            return known
        meanings = _scaled(self._of_parts(word), PARTS)
        if not meanings:
            meanings = _scaled(self._of_inflection(word), INFLECTION)
        itself = romanised(word)
        meanings[itself] = max(meanings.get(itself, 0.0), ITSELF)
        return meanings

    def _translated(self, word: str) -> Meanings:
        assert self._table is not None
        kept: dict[str, float] = {}
        total = 0.0
        for meaning, probability in self._table.translations(word, TOP):
            if kept and (total >= MASS or probability < THRESHOLD):
                break
            kept[meaning] = probability
            total += probability
        return {meaning: probability / total for meaning, probability in kept.items()}

    def _of_parts(self, word: str) -> Meanings:
        parts = self._splitter.split(word)
        meanings: dict[str, float] = {}
        for part in parts if len(parts) > 1 else ():
            for meaning, probability in self._translated(part).items():
                meanings[meaning] = max(meanings.get(meaning, 0.0), probability)
        return meanings

    def _of_inflection(self, word: str) -> Meanings:
        nearest = nearest_spelling(word, self._spellings.candidates(word))
        return _scaled(self._translated(nearest[0]), nearest[1]) if nearest else {}


def _scaled(meanings: Meanings, weight: float) -> dict[str, float]:
    return {meaning: weight * probability for meaning, probability in meanings.items()}
