"""Ranks documents by the Euclidean distance between weighed averages of word vectors.

nBOW_x(d) = sum over words of w_x(word) E(word), the weights being term frequencies, times idf where
x is idf, scaled to sum to one (Balikas et al. 2018, section 4; Mitchell and Lapata 2010). A score
is minus the distance, from -2 to 0.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array, diags_array

from dragoman.encoders.sentence_encoder import normalized
from dragoman.indexes.snapshot import Snapshot
from dragoman.ranking.topk import top_k
from dragoman.scores.row_products import squared_distances
from dragoman.systems.bags.collection import WeighedWords
from dragoman.systems.bags.nbow_config import Distance, NbowConfig
from dragoman.systems.bags.nbow_explanation import linked
from dragoman.systems.bags.system import BagSystem, Near, scores_of
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query


class NbowSystem(BagSystem[NbowConfig]):
    """Bags of words with vectors, compared by their averages."""

    name = "nbow"
    config_class = NbowConfig

    def averages(self, snapshot: Snapshot) -> FloatArray:
        """One float32 row per document of the collection; NaN without a known word."""

        def averaged() -> FloatArray:
            collection = self.collection(snapshot)
            return self._averaged(collection.bags, collection.vocabulary.points)

        key = (self.name, self.config.weighting, self.config.distance)
        return snapshot.cached(key, averaged)

    def _averaged(self, bags: csr_array, points: FloatArray) -> FloatArray:
        sums = bags.sum(axis=1)
        scaled = diags_array(1 / np.where(sums > 0, sums, 1.0)) @ bags
        averages = np.asarray(csr_array(scaled.astype(np.float32)) @ points, dtype=np.float32)
        if self.config.distance is Distance.COSINE:
            averages = normalized(averages)
        averages[sums == 0] = np.nan
        return averages

    def _average(self, words: WeighedWords) -> FloatArray:
        row: FloatArray = self._averaged(csr_array(words.weights[None]), words.points)[0]
        return row

    def nearest(self, snapshot: Snapshot, query: WeighedWords, k: int, rows: IntArray) -> Near:
        """The ``k`` documents whose averages are nearest to the query's."""
        distances = _distances(self.averages(snapshot), rows, self._average(query))
        best = top_k(scores_of(distances), k, rows)
        return Near(rows[best], distances[best])

    def distances(self, query: WeighedWords, documents: Sequence[WeighedWords]) -> FloatArray:
        """How far each document's average is from the query's."""
        averages = [self._average(document) for document in documents]
        rows = np.array(averages, dtype=np.float32).reshape(len(averages), -1)
        return _distances(rows, np.arange(len(rows)), self._average(query))

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """Which query word brings the averages together with which word of the document."""
        score = float(self.score(snapshot, query, [document])[0])
        words = self.query_words(snapshot, query.content, document.language)
        links = linked(words, self.document_words(snapshot, document.content))
        return Explanation(document.doc_id, score, links)

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        return {**super().settings, "distance": self.config.distance.value}


def _distances(averages: FloatArray, rows: IntArray, query: FloatArray) -> FloatArray:
    squares = squared_distances(averages, rows.astype(np.int64), query.astype(np.float64))
    return np.where(np.isnan(squares), np.inf, np.sqrt(squares))
