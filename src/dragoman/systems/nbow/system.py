"""Ranks documents by the Euclidean distance between weighed averages of word vectors.

nBOW_x(d) = sum over words of w_x(word) E(word), the weights being term frequencies, times idf where
x is idf, scaled to sum to one (Balikas et al. 2018, section 4; Mitchell and Lapata 2010). A score
is minus the distance, from -2 to 0.
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array, diags_array

from dragoman.indexes.bag_system import BagSystem, Near, scores_of
from dragoman.ranking.topk import top_k
from dragoman.scores.by_row import squared_distances
from dragoman.systems.nbow.config import Distance, NbowConfig
from dragoman.systems.nbow.explanation import linked
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query
from dragoman.vectors.bag_collection import BagCollection, Weighed, WeighedWords
from dragoman.vectors.sentence import normalized


class NbowSystem(BagSystem[NbowConfig]):
    """Bags of words with vectors, compared by their averages."""

    name = "nbow"
    settled = NbowConfig

    def __init__(self, config: NbowConfig, bags: BagCollection) -> None:
        super().__init__(config, bags)
        self._made: tuple[Weighed, FloatArray] | None = None

    @property
    def averages(self) -> FloatArray:
        """One float32 row per document, made again after a change; NaN without a known word."""
        weighed = self.bags.weighed
        if self._made is None or self._made[0] is not weighed:
            averages = self._averaged(weighed.bags, self.bags.vocabulary.points)
            self._made = weighed, averages
        return self._made[1]

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

    def nearest(self, asked: WeighedWords, k: int, rows: IntArray | None) -> Near:
        """The ``k`` documents whose averages are nearest to the question's."""
        averages = self.averages
        chosen = np.arange(len(averages)) if rows is None else rows
        found = _distances(averages, chosen, self._average(asked))
        best = top_k(scores_of(found), k, chosen)
        return Near(chosen[best], found[best])

    def distances(self, asked: WeighedWords, documents: Sequence[WeighedWords]) -> FloatArray:
        """How far each document's average is from the question's."""
        averages = [self._average(document) for document in documents]
        rows = np.array(averages, dtype=np.float32).reshape(len(averages), -1)
        return _distances(rows, np.arange(len(rows)), self._average(asked))

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word brings the averages together with which word of the document."""
        asked = self.bags.question(query.content, document.language)
        found = self.bags.read(document.content)
        here, there = ({document.language: bag} for bag in (asked, found))
        score = float(self.score(here, [there])[0])
        return Explanation(document.doc_id, score, linked(asked, found))

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        return {**super().settings, "distance": self.config.distance.value}


def _distances(averages: FloatArray, chosen: IntArray, asked: FloatArray) -> FloatArray:
    squares = squared_distances(averages, chosen.astype(np.int64), asked.astype(np.float64))
    return np.where(np.isnan(squares), np.inf, np.sqrt(squares))
