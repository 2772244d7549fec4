"""Query terms -> rows of a table: words, stems and phrases, without context (section 5).

A word is its own row plus that of its stem, so that forms of a word share what is known of either.
A phrase is the mean of its words, plus its own row where bitext had it often enough. A word that
bitext never had is searched by its stem alone, and the caller can say so.
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
    """A term of a query and the rows that stand for it; ``by_stem`` where bitext lacks the form."""

    text: str
    rows: tuple[int, ...]
    weights: tuple[float, ...]
    by_stem: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """The rows of the table: words, then stems, then phrases, each called ``language:text``."""

    words: tuple[str, ...]
    stems: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    _rows: tuple[dict[str, int], dict[str, int], dict[str, int]] = field(
        init=False, repr=False, compare=False
    )
    _longest: int = field(init=False, repr=False, compare=False)  # words of a phrase
    languages: frozenset[str] = field(init=False, repr=False, compare=False)  # of queries

    def __post_init__(self) -> None:
        first, found = 0, []
        for names in (self.words, self.stems, self.phrases):
            found.append({name: first + place for place, name in enumerate(names)})
            first += len(names)
        object.__setattr__(self, "_rows", tuple(found))
        longest = max((name.count(" ") + 1 for name in self.phrases), default=1)
        object.__setattr__(self, "_longest", longest)
        languages = frozenset(word.partition(":")[0] for word in self.words)
        object.__setattr__(self, "languages", languages)

    def __len__(self) -> int:
        return len(self.words) + len(self.stems) + len(self.phrases)

    def split(self, text: Text) -> tuple[list[QueryTerm], list[str]]:
        """The terms of a query, longest known phrases first, and the words without a row."""
        words = content_words(text)
        terms: list[QueryTerm] = []
        unknown: list[str] = []
        place = 0
        while place < len(words):
            size = self._longest_phrase(words[place : place + self._longest], text.language)
            term = self.term(words[place : place + size], text.language)
            if term is None:
                unknown += words[place : place + size]
            else:
                terms.append(term)
            place += size
        return terms, unknown

    def _longest_phrase(self, words: Sequence[str], language: str) -> int:
        for size in range(min(self._longest, len(words)), 1, -1):
            if f"{language}:{' '.join(words[:size])}" in self._rows[2]:
                return size
        return 1

    def term(self, words: Sequence[str], language: str) -> QueryTerm | None:
        """The rows of one word or of a phrase; None where no word of it is known."""
        known = [rows for word in words if (rows := self._word(word, language))]
        if not known:
            return None
        whole = self._rows[2].get(f"{language}:{' '.join(words)}") if len(words) > 1 else None
        rows = [row for one in known for row in one]
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
        """Every word and phrase as a bag of rows: words first, phrases behind them."""
        terms = []
        for name in (*self.words, *self.phrases):
            language, _, text = name.partition(":")
            term = self.term(text.split(" "), language)
            assert term is not None, "a term knows its own words"
            terms.append(term)
        return term_bags(terms)


def term_bags(terms: Sequence[QueryTerm]) -> Bags:
    """Terms as bags of rows."""
    starts = np.cumsum([0, *(len(term.rows) for term in terms)], dtype=np.int64)
    rows = np.array([row for term in terms for row in term.rows], dtype=np.int32)
    weights = np.array([weight for term in terms for weight in term.weights], dtype=np.float32)
    return Bags(rows, starts, weights)


def content_words(text: Text) -> list[str]:
    """The words of a query without stop words; all of them where nothing else is there."""
    words = _ANALYZER(text.body, text.language)
    content = [word for word in words if not is_stop_word(word, text.language)]
    return content or words


def all_words(text: Text) -> list[str]:
    """All words of a text, folded, in order."""
    return _ANALYZER(text.body, text.language)


def signature(language: str) -> str:
    """What must be equal for a text in ``language`` to have the same words and stems."""
    return Analyzer(AnalyzerConfig(stop=True, stem=True)).signature(language)


@lru_cache(16)
def _stop_words(language: str) -> frozenset[str]:
    listed = (_ANALYZER(word, language) for word in stopwords.stop_words(language))
    return frozenset(found[0] for found in listed if len(found) == 1)


def is_stop_word(word: str, language: str) -> bool:
    """Whether a word says nothing of a text's subject."""
    return word in _stop_words(language)


def stem_word(word: str, language: str) -> str:
    """The stem of a word; the word itself where the language has no stemmer."""
    found = _STEMMING(word, language)
    return found[0] if len(found) == 1 else word
