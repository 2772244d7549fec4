"""A word of any language -> the pivot words it may stand for, with probabilities.

A word of the table is translated by it. Other words go to the fallbacks below, whose translations
are trusted less, by weights that were measured over all development languages together.
What comes out is analysed as pivot text is: "normans" in a Greek text is a query's "norman".
"""

from collections.abc import Container, Mapping
from functools import cached_property

from dragoman.lexicons.analysis import DEFAULT_ANALYSIS
from dragoman.lexicons.lexicon import Lexicon
from dragoman.lexicons.sounds.blocks import is_word
from dragoman.lexicons.sounds.neighbours import SpellingIndex, nearest_spelling
from dragoman.lexicons.sounds.transliteration import romanised
from dragoman.lexicons.translation_tables import PIVOT, TranslationTables
from dragoman.tokens.analyzer import Analyzer
from dragoman.tokens.compounds import CompoundSplitter

Meanings = Mapping[str, float]

# Translations are pruned by probability mass, number and probability.
MASS, TOP, THRESHOLD = 0.97, 10, 0.01

# How far an answer is trusted: the meanings of a compound's parts, those of the word that is
# spelt most like it, the word itself in Latin letters.
PARTS, INFLECTION, ITSELF = 0.8, 0.6, 0.9

CACHED_WORDS = 1 << 12  # of a language; some 4 MB when full
COMMONEST = 100  # words of a table that tell its script
LATIN_ENDS = "\u0250"


class PivotMapper:
    """Maps words into the pivot; those of the last words are kept."""

    def __init__(self, tables: TranslationTables) -> None:
        self._tables = tables
        self._analyzer = Analyzer(DEFAULT_ANALYSIS)
        self._languages: dict[str, _LanguageMap] = {}

    def meanings(self, language: str) -> Mapping[str, Meanings]:
        """Word of ``language`` -> pivot words with p(pivot word | word)."""
        meanings = self._languages.get(language)
        if meanings is None:
            table = None if language == PIVOT else self._tables.table(language)
            meanings = self._languages[language] = _LanguageMap(language, table, self._analyzer)
        return meanings

    def translatable(self, language: str, searched: str) -> Container[str]:
        """The words that a table on the way from ``language`` to ``searched`` translates."""
        table = self._tables.table(searched if language == PIVOT else language)
        if table is None:
            return ()
        return (table.target_words if language == PIVOT else table.source_words).ids


class _LanguageMap(dict[str, Meanings]):
    """Word -> meanings in one language."""

    def __init__(self, language: str, table: Lexicon | None, pivot_analyzer: Analyzer) -> None:
        super().__init__()
        self._language, self._table = language, table
        self._pivot_analyzer = pivot_analyzer
        if table is not None:
            self._in_latin = _in_latin(table)

    @cached_property
    def _splitter(self) -> CompoundSplitter:
        """Made for the first word that the table lacks: it takes as long as loading a table."""
        assert self._table is not None
        counts = zip(self._table.source_words, self._table.source_counts.tolist(), strict=True)
        return CompoundSplitter.train(dict(counts), self._language)

    @cached_property
    def _spellings(self) -> SpellingIndex:
        """Made for the first word that is no compound either."""
        assert self._table is not None
        return SpellingIndex(self._table.source_words)

    def __missing__(self, word: str) -> Meanings:
        if len(self) >= CACHED_WORDS:
            self.clear()
        meanings = self[word] = self._meanings(word)
        return meanings

    def _meanings(self, word: str) -> Meanings:
        if self._table is None or not is_word(word) or (word.isascii() and not self._in_latin):
            return {self._itself(word): 1.0}
        if known := self._translated(word):
            return known
        meanings = _scaled(self._of_parts(word), PARTS)
        if not meanings:
            meanings = _scaled(self._of_inflection(word), INFLECTION)
        itself = self._itself(word)
        meanings[itself] = max(meanings.get(itself, 0.0), ITSELF)
        return meanings

    def _itself(self, word: str) -> str:
        """The word in Latin letters, as an analyser of the pivot would have it."""
        latin = romanised(word)
        terms = self._pivot_analyzer(latin, PIVOT) if is_word(latin) else ()
        return terms[0] if len(terms) == 1 else latin

    def _translated(self, word: str) -> Meanings:
        assert self._table is not None
        pruned: dict[str, float] = {}
        total = 0.0
        for meaning, probability in self._table.translations(word, TOP):
            if pruned and (total >= MASS or probability < THRESHOLD):
                break
            pruned[meaning] = probability
            total += probability
        return {meaning: probability / total for meaning, probability in pruned.items()}

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


def _in_latin(table: Lexicon) -> bool:
    """Whether the language is written in Latin letters: most of its commonest words are."""
    commonest = table.source_words.words[:COMMONEST]
    return 2 * sum(word < LATIN_ENDS for word in commonest) >= len(commonest)


def _scaled(meanings: Meanings, weight: float) -> dict[str, float]:
    return {meaning: weight * probability for meaning, probability in meanings.items()}
