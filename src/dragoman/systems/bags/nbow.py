"""Ranks documents by the Euclidean distance between weighted averages of word vectors.

nBOW_x(d) = sum over words of w_x(word) E(word), where the weights are term frequencies (x = tf) or
term frequencies times idf (x = idf), normalised to sum to one (Balikas et al. 2018, section 4;
Mitchell and Lapata 2010). A score is minus the distance, from -2 to 0.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array, diags_array

from dragoman.encoders.sentence_encoder import normalized
from dragoman.indexes.snapshot import Snapshot
from dragoman.ranking.topk import top_k
from dragoman.scores.row_distances import squared_distances
from dragoman.systems.bags.collection import WeightedWords
from dragoman.systems.bags.config import Distance, NbowConfig
from dragoman.systems.bags.explanation import product_links
from dragoman.systems.bags.system import BagSystem, NearestDocuments, scores_of
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query


class NbowSystem(BagSystem[NbowConfig]):
    """Bags compared by their averages."""

    name = "nbow"
    config_class = NbowConfig

    def averages(self, snapshot: Snapshot) -> FloatArray:
        """One float32 row per document of the collection; NaN without a known word."""

        def average_all() -> FloatArray:
            collection = self.collection(snapshot)
            return self._averages(collection.bags, collection.vocabulary.points)

        key = (self.name, self.config.weighting, self.config.distance)
        return snapshot.cached(key, average_all)

    def _averages(self, bags: csr_array, points: FloatArray) -> FloatArray:
        sums = bags.sum(axis=1)
        scaled = diags_array(1 / np.where(sums > 0, sums, 1.0)) @ bags
        averages = np.asarray(csr_array(scaled.astype(np.float32)) @ points, dtype=np.float32)
        if self.config.distance is Distance.COSINE:
            averages = normalized(averages)
        averages[sums == 0] = np.nan
        return averages

    def _average(self, bag: WeightedWords) -> FloatArray:
        row: FloatArray = self._averages(csr_array(bag.weights[None]), bag.points)[0]
        return row

    def nearest(
        self, snapshot: Snapshot, query: WeightedWords, k: int, rows: IntArray
    ) -> NearestDocuments:
        """The ``k`` documents whose averages are nearest to the query's."""
        distances = _distances(self.averages(snapshot), rows, self._average(query))
        best = top_k(scores_of(distances), k, rows)
        return NearestDocuments(rows[best], distances[best])

    def distances(self, query: WeightedWords, documents: Sequence[WeightedWords]) -> FloatArray:
        """The distance of each document's average to the query's."""
        averages = [self._average(document) for document in documents]
        rows = np.array(averages, dtype=np.float32).reshape(len(averages), -1)
        return _distances(rows, np.arange(len(rows)), self._average(query))

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """The pairs of words that add most to the inner product of the averages."""
        score = float(self.score(snapshot, query, [document])[0])
        bag = self.query_bag(snapshot, query.content, document.language)
        links = product_links(bag, self.document_bag(snapshot, document.content))
        return Explanation(document.doc_id, score, links)

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to be comparable."""
        return {**super().settings, "distance": self.config.distance.value}


def _distances(averages: FloatArray, rows: IntArray, query: FloatArray) -> FloatArray:
    squares = squared_distances(averages, rows.astype(np.int64), query.astype(np.float64))
    return np.where(np.isnan(squares), np.inf, np.sqrt(squares))
