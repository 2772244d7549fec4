"""tf and idf: Euclidean distance between word frequencies, the query translated word by word.

The baselines of Balikas et al. 2018, section 4: frequencies (times idf) are scaled to sum to one,
and score(q, d) = -||q - d||. As ||q - d||^2 = ||q||^2 + ||d||^2 - 2 q d, a search is one sparse
product and a norm per document. Words of the query that no document has count in its length only.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from dragoman.lexicons.candidates import WordTranslator
from dragoman.lexicons.reading import Word
from dragoman.lexicons.tables import Tables
from dragoman.ranking.topk import top_k
from dragoman.scores.bm25 import inverse_document_frequency
from dragoman.scores.impacts import Rows, SparseVector
from dragoman.systems.lexical.collected import Collected, LanguageRows
from dragoman.systems.lexical.config import LexicalConfig
from dragoman.systems.lexical.explanation import Term
from dragoman.systems.lexical.postings import ABSENT, Namespace
from dragoman.systems.lexical.spaces import Assembly
from dragoman.systems.lexical.system import LexicalSystem
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query, Ranking


class Tf(LexicalSystem):
    """Distance between relative frequencies."""

    name: ClassVar[str] = "tf"

    @classmethod
    def over(cls, collected: Collected, config: LexicalConfig, tables: Tables) -> Self:
        """The system over counted documents."""
        assembly = Assembly(collected)
        for part in collected.parts:
            assembly.add_own(part, cls._frequencies(part))
        return cls(config, tables, assembly.postings())

    @classmethod
    def word_weights(cls, frequencies: FloatArray, documents: int) -> FloatArray:
        """What a word's count is multiplied with, by the number of documents that have it."""
        return np.ones(frequencies.shape)

    @classmethod
    def _frequencies(cls, part: LanguageRows) -> Rows:
        """The documents of one language as weighed frequencies that sum to one."""
        weights = cls.word_weights(part.document_frequencies, len(part))
        values = part.rows.values * weights[part.rows.dimensions]
        sizes = np.diff(part.rows.starts)
        rows = np.repeat(np.arange(len(sizes)), sizes)
        totals = np.bincount(rows, weights=values, minlength=len(sizes))
        return part.rows._replace(values=values / totals[rows])

    @cached_property
    def _translator(self) -> WordTranslator:
        return WordTranslator(self.tables)

    @cached_property
    def _squares(self) -> FloatArray:
        """||d||^2 of every document."""
        index = self.fixed.index
        squares = np.square(index.impacts, dtype=np.float64)
        sums: FloatArray = np.bincount(index.documents, squares, index.count).astype(np.float64)
        return sums

    def _documents(self, space: Namespace) -> IntArray:
        """The numbers of the documents that have a word in ``space``, rising."""
        index = self.fixed.index
        start, end = index.indptr[[space.first, space.first + len(space.words)]]
        return np.unique(index.documents[start:end])

    def query_terms(self, words: Sequence[Word], language: str, searched: str) -> list[Term]:
        """One term per word whose translation the documents know; weights sum to at most one."""
        space = self.fixed.own(searched)
        if space is None:
            return []
        found = [
            (word.surface, space.find(self._translator.translate(word.term, language, space)))
            for word in words
        ]
        weights = [self._weight(space, dimension) for _, dimension in found]
        total = sum(weights)
        return [
            Term(surface, dimension, 1.0, weight / total)
            for (surface, dimension), weight in zip(found, weights, strict=True)
            if dimension != ABSENT
        ]

    def _weight(self, space: Namespace, dimension: int) -> float:
        frequency = 0.0 if dimension == ABSENT else space.frequency_at(dimension)
        return float(self.word_weights(np.array([frequency]), space.documents)[0])

    def impacts(self, counts: SparseVector, length: int, language: str) -> SparseVector:
        """Weighed frequencies that sum to one."""
        space = self.fixed.own(language)
        if space is None or not len(counts.weights):
            return counts
        frequencies = space.frequencies[counts.dimensions - space.first]
        weighed = counts.weights * self.word_weights(frequencies, space.documents)
        return counts._replace(weights=weighed / weighed.sum())

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` nearest documents, in every language that knows a word of the query."""
        found: list[IntArray] = [np.zeros(0, dtype=np.int32)]
        scores: list[FloatArray] = [np.zeros(0)]
        for code in self.fixed.chosen(languages):
            space = self.fixed.own(code)
            asked = self.query_vector(query.content, [code])
            if space is None or not len(asked.weights):
                continue
            documents = self._documents(space)
            products = self.fixed.index.products(asked)[documents]
            found.append(documents)
            scores.append(-_distances(asked, self._squares[documents], products))
        numbers, values = np.concatenate(found), np.concatenate(scores)
        best = top_k(values, k, numbers)
        return self.fixed.named(query.query_id, numbers[best], values[best])

    def search_many(
        self, queries: Sequence[Query], k: int, languages: Collection[str] | None = None
    ) -> list[Ranking]:
        """``search`` for every query."""
        return [self.search(query, k, languages) for query in queries]

    def score(self, query: SparseVector, documents: Sequence[SparseVector]) -> FloatArray:
        """The negated distance of every document from the query's part in its language."""
        scores = np.empty(len(documents))
        for place, document in enumerate(documents):
            squares = np.square(document.weights, dtype=np.float64).sum()
            asked = self._part(query, document)
            product = super().score(asked, [document])
            scores[place] = -_distances(asked, squares, product)[0]
        return scores

    def _part(self, query: SparseVector, document: SparseVector) -> SparseVector:
        """What the query says in the document's language."""
        if not len(document.dimensions):
            return query
        for space in self.fixed.namespaces:
            last = space.first + len(space.words)
            if space.first <= document.dimensions[0] < last:
                inside = (query.dimensions >= space.first) & (query.dimensions < last)
                return SparseVector(query.dimensions[inside], query.weights[inside])
        return query

    def explain(self, query: Query, document: Document) -> Explanation:
        """The links of the product q d; the score is the negated distance."""
        links = super().explain(query, document)
        asked = self.query_vector(query.content, [document.language])
        score = self.score(asked, self.encode_documents([document.content]))[0]
        return replace(links, score=float(score))


class Idf(Tf):
    """Distance between frequencies that are weighed by idf."""

    name: ClassVar[str] = "idf"

    @classmethod
    def word_weights(cls, frequencies: FloatArray, documents: int) -> FloatArray:
        """The words' idf."""
        return inverse_document_frequency(frequencies, documents)


def _distances(query: SparseVector, squares: FloatArray, products: FloatArray) -> FloatArray:
    own = np.square(query.weights, dtype=np.float64).sum()
    squared: FloatArray = np.maximum(own + squares - 2.0 * products, 0.0)
    return np.sqrt(squared)
