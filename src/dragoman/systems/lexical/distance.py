"""tf and idf: Euclidean distance between word frequencies, the query translated word by word.

The baselines of Balikas et al. 2018, section 4: frequencies (times idf) are scaled to sum to one,
and score(q, d) = -||q - d||. As ||q - d||^2 = ||q||^2 + ||d||^2 - 2 q d, a search is one sparse
product and a norm per document. Words of the query that no document has count in its length only.
"""

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes.search.postings import SnapshotPostings
from dragoman.indexes.snapshot import NO_DOCUMENTS, DocumentSet, ScoredDocuments, Snapshot
from dragoman.indexes.spaces import Counts
from dragoman.scores.bm25 import inverse_document_frequency
from dragoman.systems.lexical.bm25 import Bm25
from dragoman.systems.lexical.system import QueryTerms
from dragoman.types import FloatArray, IntArray, Text


class Frequencies(NamedTuple):
    """The weighed frequencies of all documents of a snapshot; a document's sum to one."""

    postings: tuple[FloatArray, ...]  # by segment, one per posting
    squares: NDArray[np.float64]  # ||d||^2 by number; NaN where a document has no word


class Tf(Bm25):
    """Distance between relative frequencies; documents without a word have no score."""

    name: ClassVar[str] = "tf"
    zeros: ClassVar[bool] = False
    scores_all_words: ClassVar[bool] = True

    def word_weights(self, frequencies: FloatArray, documents: FloatArray | float) -> FloatArray:
        """What a word's count is multiplied with, by the number of documents that have it."""
        del documents
        return np.ones(frequencies.shape)

    def translated(
        self, postings: SnapshotPostings, words: Sequence[str], language: str, searched: str
    ) -> QueryTerms:
        """Weights sum to at most one: words that no document has take their part."""
        terms = super().translated(postings, words, language, searched)
        documents = postings.snapshot.languages.get(searched, 0)
        absent = self.word_weights(np.zeros(len(words) - len(terms.words)), documents)
        return terms._replace(weights=terms.weights / (terms.weights.sum() + absent.sum() or 1.0))

    def scores_of_all(
        self, snapshot: Snapshot, text: Text, searched: Sequence[str]
    ) -> "DistanceScores":
        """Every document's negated distance; NaN where there is none.

        Documents of a language that knows no word of the query have none.
        """
        postings, frequencies = self.postings(snapshot), self._frequencies(snapshot)
        words = self.analyzer(text.body, text.language)
        products, norms = np.zeros(snapshot.size), np.full(snapshot.size, np.nan)
        for code in searched:
            dimensions, weights = self.translated(
                postings, words, text.language, code
            ).by_dimension()
            ranges = postings.locate(dimensions).ranges
            for reader, values, spans in zip(
                snapshot.readers, frequencies.postings, ranges, strict=True
            ):
                documents = reader.segment.postings(self.space).documents
                for weight, first, last in zip(
                    weights, *map(np.ndarray.tolist, spans), strict=True
                ):
                    products[reader.base + documents[first:last]] += weight * values[first:last]
                if len(weights) and code in reader.segment.languages:
                    start, end = reader.segment.languages[code]
                    norms[reader.base + start : reader.base + end] = weights @ weights
        distances = _negated_distances(norms, frequencies.squares, products)
        return DistanceScores(snapshot, distances)

    def _frequencies(self, snapshot: Snapshot) -> Frequencies:
        return snapshot.cached(("frequencies", self.name), lambda: self._all_weighed(snapshot))

    def _all_weighed(self, snapshot: Snapshot) -> Frequencies:
        postings = self.postings(snapshot)
        weighed, squares = [], np.full(snapshot.size, np.nan)
        for reader in snapshot.readers:
            mine, size = reader.segment.postings(self.space), len(reader.segment)
            documents = np.zeros(size)  # how many there are in the language of each
            for code, (first, last) in reader.segment.languages.items():
                documents[first:last] = snapshot.languages.get(code, 0)
            frequencies = postings.locate(mine.dimensions).frequencies.astype(np.float64)
            each = frequencies.repeat(np.diff(mine.starts))
            weights = self.word_weights(each, documents[mine.documents])
            values = mine.counts * weights
            values /= np.bincount(mine.documents, values, size)[mine.documents]
            weighed.append(values)
            norms = np.bincount(mine.documents, values**2, size)
            squares[reader.base : reader.base + size] = np.where(norms, norms, np.nan)
        return Frequencies(tuple(weighed), squares)

    def impacts(self, postings: SnapshotPostings, counts: Counts, language: str) -> FloatArray:
        """Weighed frequencies that sum to one, of words that the collection has."""
        frequencies = postings.locate(counts.dimensions).frequencies
        documents = postings.snapshot.languages.get(language, 0)
        weights = self.word_weights(frequencies.astype(np.float64), documents)
        weighed = np.where(frequencies, counts.counts * weights, 0.0)
        return weighed / (weighed.sum() or 1.0)

    def product(
        self, wanted: IntArray, weights: FloatArray, dimensions: IntArray, impacts: FloatArray
    ) -> float:
        """The negated distance; NaN where one side has no word."""
        norm, square = weights @ weights, impacts @ impacts
        if not (norm and square):
            return float("nan")
        product = super().product(wanted, weights, dimensions, impacts)
        return float(_negated_distances(norm, square, product))


class Idf(Tf):
    """Distance between frequencies that are weighed by idf."""

    name: ClassVar[str] = "idf"

    def word_weights(self, frequencies: FloatArray, documents: FloatArray | float) -> FloatArray:
        """The words' idf."""
        return inverse_document_frequency(frequencies, documents)


class DistanceScores(NamedTuple):
    """Negated distances by document number; NaN where there is none."""

    snapshot: Snapshot
    distances: FloatArray

    def of(self, numbers: IntArray) -> FloatArray:
        """The negated distance of each of these documents."""
        return self.distances[numbers]

    def best(self, k: int, selection: DocumentSet) -> ScoredDocuments:
        """The ``k`` nearest of the selected documents."""
        numbers = [NO_DOCUMENTS.numbers]
        for span in selection.spans:
            mine = np.arange(span.base, span.reader.base + span.last)
            mask = selection.mask(span)
            numbers.append(mine[mask] if len(mask) else mine)
        listed = np.concatenate(numbers)
        listed = listed[~np.isnan(self.distances[listed])]
        return self.snapshot.sort_top_k(ScoredDocuments(listed, self.distances[listed]), k)


def _negated_distances(
    norms: FloatArray | float, squares: FloatArray | float, products: FloatArray | float
) -> FloatArray:
    """-||q - d|| from ||q||^2, ||d||^2 and q d."""
    distances: FloatArray = np.sqrt(np.maximum(norms + squares - 2.0 * products, 0.0))
    return -distances
