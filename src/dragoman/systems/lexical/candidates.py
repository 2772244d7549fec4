"""A query's words -> one word each in the documents' language, the best under a language model.

Balikas et al. 2018, section 4: "dictionary" baselines pick one candidate per word by a unigram
model of the target text. With a table of probabilities this is the noisy channel:
argmax over t of p(word | t) p(t).
"""

from dragoman.systems.lexical.postings import Namespace
from dragoman.systems.lexical.tables import PIVOT, Tables

CANDIDATES = 10


class WordTranslator:
    """Translates word by word, through the pivot where neither language is it."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    def translate(self, word: str, source: str, target: Namespace) -> str:
        """The candidate that explains ``word`` best and is a likely word of ``target``.

        A word without a candidate that the documents know stays as it is.
        """
        if source == target.language:
            return word
        ranked = (
            (
                likelihood * (1.0 + float(target.frequencies[target.words.numbers[candidate]])),
                candidate,
            )
            for candidate, likelihood in self.candidates(word, source, target.language).items()
            if candidate in target.words.numbers
        )
        best = max(ranked, default=None)
        return best[1] if best else word

    def candidates(self, word: str, source: str, target: str) -> dict[str, float]:
        """Words of ``target`` with p(word | candidate)."""
        if source == PIVOT:
            return self._from_pivot(word, target)
        if target == PIVOT:
            return self._into_pivot(word, source)
        found: dict[str, float] = {}
        for middle, outer in self._into_pivot(word, source).items():
            for candidate, inner in self._from_pivot(middle, target).items():
                found[candidate] = max(found.get(candidate, 0.0), outer * inner)
        return found

    def _into_pivot(self, word: str, source: str) -> dict[str, float]:
        table = self._tables.table(source)
        if table is None:
            return {}
        return {
            candidate: _likelihood(dict(table.reversed().translations(candidate, 1000)), word)
            for candidate, _ in table.translations(word, CANDIDATES)
        }

    def _from_pivot(self, word: str, target: str) -> dict[str, float]:
        table = self._tables.table(target)
        if table is None:
            return {}
        return {
            candidate: _likelihood(dict(table.translations(candidate, 1000)), word)
            for candidate, _ in table.reversed().translations(word, CANDIDATES)
        }


def _likelihood(translations: dict[str, float], word: str) -> float:
    return translations.get(word, 0.0)
