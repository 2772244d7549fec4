"""Query terms -> rows of a table: words, stems and phrases, without context (section 5).

A word's vector is the sum of its own row and its stem's, so that the forms of a word share
parameters. A phrase's vector is the mean of its words', plus its own row if it is frequent in the
bitext. A word that the bitext lacks is represented by its stem alone, of which callers can warn.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from dragoman.tokens import stopwords
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig
from dragoman.training.sequences import Bags
from dragoman.types import Text

_ANALYZER = Analyzer(AnalyzerConfig(stop=False, stem=False))
_STEMMING = Analyzer(AnalyzerConfig(stop=False, stem=True))


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A query term and its weighted rows; ``by_stem`` if the bitext lacks the word form."""

    text: str
    rows: tuple[int, ...]
    weights: tuple[float, ...]
    by_stem: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """The rows of the table: words, then stems, then phrases, each named ``language:text``."""

    words: tuple[str, ...]
    stems: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    _rows: tuple[dict[str, int], dict[str, int], dict[str, int]] = field(
        init=False, repr=False, compare=False
    )
    _longest: int = field(init=False, repr=False, compare=False)  # words of a phrase
    languages: frozenset[str] = field(init=False, repr=False, compare=False)  # of queries

    def __post_init__(self) -> None:
        first, tables = 0, []
        for names in (self.words, self.stems, self.phrases):
            tables.append({name: row for row, name in enumerate(names, start=first)})
            first += len(names)
        object.__setattr__(self, "_rows", tuple(tables))
        longest = max((name.count(" ") + 1 for name in self.phrases), default=1)
        object.__setattr__(self, "_longest", longest)
        languages = frozenset(word.partition(":")[0] for word in self.words)
        object.__setattr__(self, "languages", languages)

    def __len__(self) -> int:
        return len(self.words) + len(self.stems) + len(self.phrases)

    def split(self, text: Text) -> tuple[list[QueryTerm], list[str]]:
        """The terms of a query, with the longest known phrases, and the unknown words."""
        words = content_words(text)
        terms: list[QueryTerm] = []
        unknown: list[str] = []
        start = 0
        while start < len(words):
            size = self._longest_phrase(words[start : start + self._longest], text.language)
            term = self.term(words[start : start + size], text.language)
            if term is None:
                unknown += words[start : start + size]
            else:
                terms.append(term)
            start += size
        return terms, unknown

    def _longest_phrase(self, words: Sequence[str], language: str) -> int:
        for size in range(min(self._longest, len(words)), 1, -1):
            if f"{language}:{' '.join(words[:size])}" in self._rows[2]:
                return size
        return 1

    def term(self, words: Sequence[str], language: str) -> QueryTerm | None:
        """A word or phrase as a term; None if no word of it is known."""
        known = [rows for word in words if (rows := self._word(word, language))]
        if not known:
            return None
        whole = self._rows[2].get(f"{language}:{' '.join(words)}") if len(words) > 1 else None
        rows = [row for word_rows in known for row in word_rows]
        weights = [1 / len(known)] * len(rows)
        if whole is not None:
            rows, weights = [*rows, whole], [*weights, 1.0]
        by_stem = any(f"{language}:{word}" not in self._rows[0] for word in words)
        return QueryTerm(" ".join(words), tuple(rows), tuple(weights), by_stem)

    def _word(self, word: str, language: str) -> list[int]:
        own = self._rows[0].get(f"{language}:{word}")
        stem = self._rows[1].get(f"{language}:{stem_word(word, language)}")
        return [row for row in (own, stem) if row is not None]

    def bags(self) -> Bags:
        """Every word and phrase as a bag of rows: words first, then phrases."""
        terms = []
        for name in (*self.words, *self.phrases):
            language, _, text = name.partition(":")
            term = self.term(text.split(" "), language)
            assert term is not None, "the words of a term have rows"
            terms.append(term)
        return term_bags(terms)


def term_bags(terms: Sequence[QueryTerm]) -> Bags:
    """Terms as bags of rows."""
    starts = np.cumsum([0, *(len(term.rows) for term in terms)], dtype=np.int64)
    rows = np.array([row for term in terms for row in term.rows], dtype=np.int32)
    weights = np.array([weight for term in terms for weight in term.weights], dtype=np.float32)
    return Bags(rows, starts, weights)


def content_words(text: Text) -> list[str]:
    """The words of a query without stop words; all words if there are only stop words."""
    words = _ANALYZER(text.body, text.language)
    content = [word for word in words if not is_stop_word(word, text.language)]
    return content or words


def all_words(text: Text) -> list[str]:
    """All words of a text, case-folded, in order."""
    return _ANALYZER(text.body, text.language)


def signature(language: str) -> str:
    """Equal if texts in ``language`` have the same words and stems."""
    return Analyzer(AnalyzerConfig(stop=True, stem=True)).signature(language)


@lru_cache(16)
def _stop_words(language: str) -> frozenset[str]:
    listed = (_ANALYZER(word, language) for word in stopwords.stop_words(language))
    return frozenset(words[0] for words in listed if len(words) == 1)


def is_stop_word(word: str, language: str) -> bool:
    """Whether ``word`` is a stop word of ``language``."""
    return word in _stop_words(language)


def stem_word(word: str, language: str) -> str:
    """The stem of a word; the word itself if the language has no stemmer."""
    stems = _STEMMING(word, language)
    return stems[0] if len(stems) == 1 else word
