"""Ranks documents by the cosine of their nearest word to the query, down to a threshold.

Barry et al. 2020, section 2: word vectors of two languages in one space, from any source, and a
single threshold. For each query word the nearest word of a document counts; the score is the lowest
of these cosines, because every query word needs a match. An index stores a row for every distinct
known word of a document, in half precision.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.embeddings.normalization import WordTokenizer
from dragoman.embeddings.space import WordSpace
from dragoman.embeddings.word_vectors import WordVectors
from dragoman.indexes import kernels
from dragoman.indexes.saved_system import read_facts, write_facts
from dragoman.indexes.search.scope import Scope
from dragoman.indexes.snapshot import (
    NO_DOCUMENTS,
    DocumentSet,
    LanguageSpan,
    ScoredDocuments,
    Snapshot,
)
from dragoman.indexes.spaces import Space, SpaceKind, Vector
from dragoman.lexicons.vocabulary import ABSENT
from dragoman.settings import parse_settings, plain_settings
from dragoman.systems.threshold.config import MAX_COSINE, MIN_COSINE, ThresholdConfig
from dragoman.types import Document, Explanation, FloatArray, Link, Query, Ranking, Text

ADVICE = "Learn word vectors: dragoman learn embeddings BITEXT --languages en-sw -o VECTORS."


class ThresholdSystem:
    """Word vectors of several languages and a threshold."""

    name: ClassVar[str] = "threshold"
    space: ClassVar[str] = "threshold"
    reads_texts_alone: ClassVar[bool] = True

    def __init__(self, config: ThresholdConfig) -> None:
        vectors = [WordVectors.open(folder) for folder in config.vectors]
        self.config, self.vectors = config, WordSpace.stack(vectors)
        self._digests = {one.language: one.digest for one in vectors}
        self._tokenize = WordTokenizer()

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> ThresholdConfig:
        """The configuration that ``settings`` describe."""
        return parse_settings(ThresholdConfig, settings, advice=ADVICE)

    @classmethod
    def create(cls, config: ThresholdConfig) -> Self:
        """The system with its word vectors."""
        return cls(config)

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One space with a row per distinct known word."""
        size = self.vectors.points.shape[1]
        return (Space(self.space, SpaceKind.ROWS, size, coded=False),)

    @property
    def languages(self) -> Collection[str]:
        """The languages that queries may be in."""
        return self.vectors.languages

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to be comparable."""
        return {
            "vectors": self._digests,
            "reading": self._tokenize.signature,
            "cosine": self.config.cosine,
        }

    def treatment(self, language: str) -> str:
        """The digest of the language's vectors."""
        return self._digests.get(language, "no vectors")

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """The languages that have no vectors."""
        return [
            f"no word vectors for {code}: its documents are not found, its queries find nothing"
            for code in languages
            if code not in self._digests
        ]

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """The vectors of the distinct known words of each document."""
        points = (self._points(document.content) for document in documents)
        return [{self.space: rows} if len(rows) else {} for rows in points]

    def _points(self, text: Text) -> FloatArray:
        """One row per distinct known word."""
        return self.vectors.points[[*self._word_rows(text).values()]]

    def _word_rows(self, text: Text) -> dict[str, int]:
        """Distinct known word of a text -> its row in the space."""
        words = list(dict.fromkeys(self._tokenize(text.body, text.language)))
        rows = self.vectors.rows(words, text.language).tolist()
        return {word: row for word, row in zip(words, rows, strict=True) if row != ABSENT}

    def search(self, snapshot: Snapshot, query: Query, k: int, scope: Scope) -> Ranking:
        """The ``k`` best documents at or above the threshold; equal scores by id."""
        words = self._points(query.content)
        if not len(words):
            return Ranking(query.query_id, ())

        def best(most: int, selection: DocumentSet) -> ScoredDocuments:
            spans = [self._scan(span, selection, words) for span in selection.spans]
            return snapshot.merge_top_k(spans, most)

        return Ranking(query.query_id, scope.rank(snapshot, best, k))

    def _scan(
        self, span: LanguageSpan, selection: DocumentSet, words: FloatArray
    ) -> ScoredDocuments:
        """The selected documents of a span with a match for every query word."""
        matrix = span.reader.segment.rows(self.space)
        starts = matrix.starts[span.first : span.last + 1]
        positions = np.flatnonzero(np.diff(starts))
        if not len(positions):
            return NO_DOCUMENTS
        matrix.check(starts[:1], starts[-1:])
        first, last = int(starts[0]), int(starts[-1])
        scores = np.full(len(positions), MAX_COSINE, np.float32)
        for word in words:
            products = kernels.active().span_products(matrix.rows, first, last, word)
            scores = np.minimum(scores, np.maximum.reduceat(products, starts[positions] - first))
        scores = np.maximum(scores, np.float32(MIN_COSINE))  # a rounded row may be longer than one
        matches = scores >= self.config.cosine
        if len(mask := selection.mask(span)):
            matches &= mask[positions]
        return ScoredDocuments(span.base + positions[matches], scores[matches])

    def score(
        self, snapshot: Snapshot | None, query: Query, documents: Sequence[Document]
    ) -> FloatArray:
        """The cosine of the query word with the worst match; NaN if a side has no known word."""
        del snapshot
        words = self._points(query.content)
        scores = np.full(len(documents), np.nan)
        for row, document in enumerate(documents if len(words) else ()):
            if len(points := self._points(document.content)):
                scores[row] = _cosines(words, points).max(axis=1).min()
        return scores

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """The nearest document word of every query word."""
        del snapshot
        query_words = [*self._word_rows(query.content)]
        document_words = [*self._word_rows(document.content)]
        if not query_words or not document_words:
            return Explanation(document.doc_id, MIN_COSINE, ())
        cosines = _cosines(self._points(query.content), self._points(document.content))
        links = [
            Link(word, document_words[mine.argmax()], float(mine.max()), 1 / len(query_words))
            for word, mine in zip(query_words, cosines, strict=True)
        ]
        links.sort(key=lambda link: (-link.weight, link.query_word))
        return Explanation(document.doc_id, links[-1].weight, tuple(links))

    def save(self, folder: Path) -> None:
        """Write the settings; the user's vectors stay in their folders."""
        write_facts(folder, self.name, config=plain_settings(self.config))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        return cls.create(parse_settings(ThresholdConfig, read_facts(folder, cls.name)["config"]))


def _cosines(words: FloatArray, points: FloatArray) -> FloatArray:
    """The cosines (words, points), with points rounded as in an index."""
    rounded = points.astype(np.float16).astype(np.float32)
    cosines: FloatArray = np.clip(words @ rounded.T, MIN_COSINE, MAX_COSINE)
    return cosines
