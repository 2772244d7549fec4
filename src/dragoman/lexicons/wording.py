"""A query's words -> words as documents of another language write them.

Tables translate analysed words (stems); vectors are keyed by whole words. So a translation is given
in the form that most documents use. This is the query translation of Balikas et al. 2018,
section 4, for the systems that compare vectors.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from dragoman.lexicons.candidates import WordTranslator
from dragoman.lexicons.reading import Reader
from dragoman.lexicons.tables import Tables
from dragoman.types import Text


@dataclass(frozen=True)
class Forms:
    """The words of documents in one language, by what analysis makes of them."""

    language: str
    frequencies: Mapping[str, float]  # term -> documents, its forms together
    likeliest: Mapping[str, str]  # term -> the form that most documents have

    @classmethod
    def of(cls, language: str, documents: Mapping[str, float], read: Reader) -> Self:
        """The forms among words with these document frequencies."""
        totals: dict[str, float] = {}
        best: dict[str, tuple[float, str]] = {}
        for word, count in documents.items():
            terms = read(word, language)
            if len(terms) != 1:  # a compound's parts are words of their own
                continue
            totals[terms[0]] = totals.get(terms[0], 0.0) + count
            best[terms[0]] = max(best.get(terms[0], (0.0, "")), (count, word))
        return cls(language, totals, {term: form for term, (_, form) in best.items()})

    def frequency(self, word: str) -> float:
        """How many documents have the term."""
        return self.frequencies.get(word, 0.0)


class Wording:
    """Translates questions word by word."""

    def __init__(self, tables: Tables) -> None:
        self.read = Reader(tables)
        self._tables = tables
        self._translator = WordTranslator(tables)

    def knows(self, source: str, target: str) -> bool:
        """Whether tables lead from one language to the other."""
        known = self._tables.languages()
        return source == target or (source in known and target in known)

    def translated(self, text: Text, target: Forms) -> list[str]:
        """One word for each word of ``text``; one that no table translates stays as it is."""
        if text.language == target.language:
            return [word.surface for word in self.read.words(text.body, text.language)]
        found = []
        for word in self.read.words(text.body, text.language):
            term = self._translator.translate(word.term, text.language, target)
            found.append(target.likeliest.get(term, word.surface))
        return found
