"""A query's words -> words as documents of another language write them.

Tables translate terms (stems); vectors are keyed by whole words. So a translation is given in the
surface form that most documents use. This is the query translation of Balikas et al. 2018,
section 4, for the systems that compare vectors.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from dragoman.lexicons.analysis import LexicalAnalyzer
from dragoman.lexicons.translation_tables import TranslationTables
from dragoman.lexicons.word_translation import WordTranslator
from dragoman.types import Text


@dataclass(frozen=True)
class DocumentForms:
    """The terms of the documents in one language, with their most frequent surface forms."""

    language: str
    frequencies: Mapping[str, float]  # term -> document frequency, summed over its forms
    surfaces: Mapping[str, str]  # term -> the form that most documents have

    @classmethod
    def from_frequencies(
        cls, language: str, frequencies: Mapping[str, float], analyze: LexicalAnalyzer
    ) -> Self:
        """The forms of words with these document frequencies."""
        totals: dict[str, float] = {}
        best: dict[str, tuple[float, str]] = {}
        for word, count in frequencies.items():
            terms = analyze(word, language)
            if len(terms) != 1:  # a compound's parts are words of their own
                continue
            totals[terms[0]] = totals.get(terms[0], 0.0) + count
            best[terms[0]] = max(best.get(terms[0], (0.0, "")), (count, word))
        return cls(language, totals, {term: form for term, (_, form) in best.items()})

    def frequency(self, term: str) -> float:
        """The term's document frequency."""
        return self.frequencies.get(term, 0.0)


class QueryTranslator:
    """Translates queries word by word."""

    def __init__(self, tables: TranslationTables) -> None:
        self.analyzer = LexicalAnalyzer(tables)
        self._translator = WordTranslator(tables)

    def translate(self, text: Text, target: DocumentForms) -> list[str]:
        """One word per word of ``text``; a word without a translation is left unchanged."""
        tokens = self.analyzer.tokens(text.body, text.language)
        if text.language == target.language:
            return [token.surface for token in tokens]
        terms = (self._translator.translate(token.term, text.language, target) for token in tokens)
        return [
            target.surfaces.get(term, token.surface)
            for term, token in zip(terms, tokens, strict=True)
        ]
