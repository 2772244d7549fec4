"""Why a passage is near a query, in words: what each query word adds, and what it is nearest to.

A query word's share is how much the score falls when the word is left out of the query; words that
pull away from the document have none. Its link is the word of the document's best passage whose
own vector is nearest to the word's own vector.
"""

from collections.abc import Sequence

import numpy as np

from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig
from dragoman.types import Explanation, FloatArray, Link, Text
from dragoman.vectors.family import EncoderFamily

MOST_QUERY_WORDS = 64
MOST_PASSAGE_WORDS = 512
CACHED_WORDS = 8192


class WordVectors:
    """The vectors of single words, remembered."""

    def __init__(self, family: EncoderFamily) -> None:
        self._family = family
        self._found: dict[tuple[str, str], FloatArray] = {}

    def __call__(self, words: Sequence[str], language: str) -> FloatArray:
        """One row per word."""
        missing = [word for word in dict.fromkeys(words) if (word, language) not in self._found]
        if len(self._found) + len(missing) > CACHED_WORDS:
            self._found.clear()
            missing = list(dict.fromkeys(words))
        vectors = self._family.encode([Text(word, language) for word in missing])
        for word, vector in zip(missing, vectors, strict=True):
            self._found[word, language] = vector
        return np.array([self._found[word, language] for word in words])


class Links:
    """Explains a query against passages, word by word."""

    def __init__(self, family: EncoderFamily) -> None:
        self._family = family
        self._vectors = WordVectors(family)
        self._analyzer = Analyzer(AnalyzerConfig(stem=False))
        self._without: tuple[Text, FloatArray] | None = None

    def words(self, text: Text) -> list[str]:
        """The words that carry meaning, each once, as they stand in the text."""
        pairs = self._analyzer.analyse_with_surface(text.body, text.language)
        return list(dict.fromkeys(surface for _, surface in pairs))

    def explained(
        self, doc_id: str, score: float, query: Text, passage: Text, vector: FloatArray
    ) -> Explanation:
        """The links of a query with a passage of the vector ``vector``, strongest first."""
        asked = self.words(query)[:MOST_QUERY_WORDS]
        found = self.words(passage)[:MOST_PASSAGE_WORDS]
        if not asked or not found:
            return Explanation(doc_id, score, ())
        falls = np.maximum(score - self._left_out(query, asked) @ vector, 0)
        near = self._vectors(asked, query.language) @ self._vectors(found, passage.language).T
        nearest = near.argmax(axis=1)
        whole = float(falls.sum()) or 1.0
        links = [
            Link(
                word,
                found[place],
                float(np.clip(near[row, place], 0, 1)),
                float(falls[row]) / whole,
            )
            for row, (word, place) in enumerate(zip(asked, nearest, strict=True))
            if near[row, place] > 0
        ]
        links.sort(key=lambda link: (-link.share, -link.weight, link.query_word))
        return Explanation(doc_id, score, tuple(links))

    def _left_out(self, query: Text, words: Sequence[str]) -> FloatArray:
        """The query's vector without each of its words; kept, as hits are explained in turn."""
        remembered = self._without
        if remembered is None or remembered[0] != query:
            texts = [Text(query.body.replace(word, " "), query.language) for word in words]
            remembered = query, self._family.encode(texts)
            self._without = remembered
        return remembered[1]
