"""The rows tf and idf: Euclidean distances between the word frequencies of two texts.

Balikas et al. 2018, section 4. Words, their preparation and their idf are those of all other rows:
whole words without stop words, symbols and numbers, the first 500 of a text. Frequencies sum to
one. Words of a query that no document has are outside the space: they have no part in its sum.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain

import numpy as np
from scipy.sparse import csr_array

from dragoman.embeddings.normalization import WordTokenizer
from dragoman.systems.bags.weighting import MAX_WORDS, Weighting, word_weights
from dragoman.types import Document, FloatArray, Query, Text


class FrequencySpace:
    """Weighed word frequencies of documents in one language, a row each."""

    def __init__(
        self, documents: Sequence[Document], weighting: Weighting, collection_size: int
    ) -> None:
        """``collection_size`` is the N of the idf; the other rows count both languages."""
        self._tokenize = WordTokenizer()
        words = [self._words(document.content) for document in documents]
        self._columns = {word: column for column, word in enumerate(sorted(set(chain(*words))))}
        counts = self._counted(words)
        frequencies = np.bincount(counts.indices, minlength=len(self._columns))
        self._weights = word_weights(frequencies, collection_size, weighting)
        self.rows = self._scaled(counts)
        self._squares = np.asarray(self.rows.multiply(self.rows).sum(axis=1)).ravel()

    def distances(self, query: Query) -> FloatArray:
        """The distance of every document; inf for all where none has a word of the query."""
        row = self._scaled(self._counted([self._words(query.content)]))
        if not row.nnz:
            return np.full(len(self._squares), np.inf)
        products = (self.rows @ row.T).toarray().ravel()
        squares = self._squares + float(row.data @ row.data) - 2 * products
        distances: FloatArray = np.sqrt(np.maximum(squares, 0.0))
        return distances

    def _words(self, text: Text) -> list[str]:
        return self._tokenize(text.body, text.language)[:MAX_WORDS]

    def _counted(self, texts: Sequence[Sequence[str]]) -> csr_array:
        """Counts of the words that some document has."""
        counted = [Counter(word for word in words if word in self._columns) for words in texts]
        starts = np.append(0, np.cumsum([len(one) for one in counted], dtype=np.int64))
        columns = [self._columns[word] for one in counted for word in one]
        counts = np.array([count for one in counted for count in one.values()], np.float64)
        return csr_array((counts, columns, starts), shape=(len(texts), len(self._columns)))

    def _scaled(self, counts: csr_array) -> csr_array:
        weighed = counts.data * self._weights[counts.indices]
        rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
        sums = np.bincount(rows, weighed, counts.shape[0])
        data = weighed / sums[rows]
        return csr_array((data, counts.indices, counts.indptr), shape=counts.shape)


def ranks_by_frequency(
    queries: Sequence[Query],
    documents: Sequence[Document],
    right: Sequence[str],
    weighting: Weighting,
    collection_size: int,
) -> FloatArray:
    """The rank of each query's right document; equal distances by document id."""
    space = FrequencySpace(documents, weighting, collection_size)
    ids = np.array([document.doc_id for document in documents])
    ranks = np.full(len(queries), np.inf)
    for number, (query, doc_id) in enumerate(zip(queries, right, strict=True)):
        distances = space.distances(query)
        if np.isfinite(distances).all():
            order = np.lexsort((ids, distances))
            ranks[number] = 1.0 + np.flatnonzero(ids[order] == doc_id)[0]
    return ranks
