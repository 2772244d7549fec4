"""Why a passage is near a query, in words: what each query word adds, and where that goes.

A query word's share is how much the score falls when the word is left out of the query; words that
pull away from the document have none. Its links are where entropic transport (``scores.transport``)
moves that share among the words of the document's best passage, by the vectors of single words.
"""

from collections.abc import Sequence

import numpy as np

from dragoman.embeddings.encoder_vectors import encode_uncached
from dragoman.encoders.family import EncoderFamily
from dragoman.scores.transport import WeightedBag, plan
from dragoman.tokens.analyzer import Analyzer, AnalyzerConfig
from dragoman.types import Explanation, FloatArray, Link, Text

EPSILON = 0.1  # of the transport, as in systems/bags
LEAST_SHARE = 0.01  # thinner links are left out
MOST_QUERY_WORDS = 64
MOST_PASSAGE_WORDS = 512
CACHED_WORDS = 8192


def _plan(here: FloatArray, there: FloatArray, falls: FloatArray) -> FloatArray:
    """How the query words' shares go to the passage's words; (query words, passage words).

    A passage word that is near no query word takes nearly nothing: the query is a part of
    the passage, and full transport would spread over all of it.
    """
    heavy = falls if falls.any() else np.ones(len(falls))
    weights = heavy * here.any(axis=1)
    costs = np.sqrt(np.maximum(2 - 2 * (here @ there.T), 0))
    near = np.exp(-costs.min(axis=0) / EPSILON) * there.any(axis=1)
    transport: FloatArray = plan(WeightedBag(here, weights), WeightedBag(there, near), EPSILON).plan
    return transport


class Remembered:
    """The vectors of single words, remembered."""

    def __init__(self, family: EncoderFamily) -> None:
        self._family = family
        self._cached: dict[tuple[str, str], FloatArray] = {}

    def __call__(self, words: Sequence[str], language: str) -> FloatArray:
        """One row per word."""
        missing = [word for word in dict.fromkeys(words) if (word, language) not in self._cached]
        if len(self._cached) + len(missing) > CACHED_WORDS:
            self._cached.clear()
            missing = list(dict.fromkeys(words))
        vectors = encode_uncached(missing, language, self._family)
        for word, vector in zip(missing, vectors, strict=True):
            self._cached[word, language] = vector
        return np.array([self._cached[word, language] for word in words])


class Links:
    """Explains a query against passages, word by word."""

    def __init__(self, family: EncoderFamily) -> None:
        self._family = family
        self._vectors = Remembered(family)
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
        query_words = self.words(query)[:MOST_QUERY_WORDS]
        passage_words = self.words(passage)[:MOST_PASSAGE_WORDS]
        if not query_words or not passage_words:
            return Explanation(doc_id, score, ())
        falls = np.maximum(score - self._left_out(query, query_words) @ vector, 0)
        here = self._vectors(query_words, query.language)
        there = self._vectors(passage_words, passage.language)
        moved = _plan(here, there, falls)
        links = [
            Link(
                query_words[row],
                passage_words[column],
                float(np.clip(here[row] @ there[column], 0, 1)),
                float(moved[row, column]),
            )
            for row, column in np.argwhere(moved >= LEAST_SHARE).tolist()
        ]
        links.sort(key=lambda link: (-link.share, -link.weight, link.query_word))
        return Explanation(doc_id, score, tuple(links))

    def _left_out(self, query: Text, words: Sequence[str]) -> FloatArray:
        """The query's vector without each of its words; cached for the next hit."""
        remembered = self._without
        if remembered is None or remembered[0] != query:
            texts = [Text(query.body.replace(word, " "), query.language) for word in words]
            remembered = query, self._family.encode(texts)
            self._without = remembered
        return remembered[1]
