"""Ranks documents by the transport cost of a query's words onto theirs; a score is minus the cost.

Algorithm 1 of Balikas et al. 2018: weigh by tf or idf, scale to sum to one, solve equation 1 or 2.
The k best are exact: what is left out is left out by proof (docs/transport.md).
"""

from collections.abc import Sequence

import numpy as np
from scipy.sparse import csr_array

from dragoman.indexes.bag_system import BagSystem, Near, scores_of
from dragoman.scores.transport import Corpus, Weighted, distances, nearest, plan
from dragoman.systems.wasserstein.config import WassersteinConfig
from dragoman.systems.wasserstein.explanation import linked
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query
from dragoman.vectors.bag_collection import BagCollection, Weighed, WeighedWords
from dragoman.vectors.counted import joined, starts


class Wasserstein(BagSystem[WassersteinConfig]):
    """Bags of words with vectors, compared by transport."""

    name = "wasserstein"
    settled = WassersteinConfig

    def __init__(self, config: WassersteinConfig, bags: BagCollection) -> None:
        super().__init__(config, bags)
        self._made: tuple[Weighed, Corpus] | None = None

    @property
    def corpus(self) -> Corpus:
        """The bags of this moment as transport reads them, made again after a change."""
        weighed = self.bags.weighed
        if self._made is None or self._made[0] is not weighed:
            self._made = weighed, Corpus.build(self.bags.vocabulary.points, weighed.bags)
        return self._made[1]

    def nearest(self, asked: WeighedWords, k: int, rows: IntArray | None) -> Near:
        """The ``k`` documents that the question's weight is moved onto most cheaply."""
        found = nearest(self.corpus, _moved(asked), k, self.config.epsilon, rows)
        return Near(found.rows, found.distances)

    def distances(self, asked: WeighedWords, documents: Sequence[WeighedWords]) -> FloatArray:
        """What moving the question's weight onto each document costs."""
        corpus = _stacked(documents, self.bags.source.dimension)
        return distances(corpus, _moved(asked), self.config.epsilon)

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word went where: the transport plan as links."""
        return self.plans(query, document, [self.config.epsilon])[0]

    def plans(
        self, query: Query, document: Document, epsilons: Sequence[float | None]
    ) -> list[Explanation]:
        """The explanation under each regularisation (Figure 1 of the paper)."""
        asked = self.bags.question(query.content, document.language)
        found = self.bags.read(document.content)
        told = []
        for epsilon in epsilons:
            moved = plan(_moved(asked), _moved(found), epsilon)
            score = float(scores_of(np.array([moved.distance]))[0])
            links = linked(moved.plan, asked.words, found.words)
            told.append(Explanation(document.doc_id, score, links))
        return told

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        return {**super().settings, "epsilon": self.config.epsilon}


def _moved(words: WeighedWords) -> Weighted:
    return Weighted(words.points, words.weights)


def _stacked(bags: Sequence[WeighedWords], dimension: int) -> Corpus:
    """Bags of their own points as documents, in order."""
    begins = starts([bag.weights for bag in bags])
    points = np.concatenate([np.zeros((0, dimension), np.float32), *(bag.points for bag in bags)])
    weights = joined([bag.weights for bag in bags], np.float64)
    shape = (len(bags), len(points))
    return Corpus.build(points, csr_array((weights, np.arange(len(points)), begins), shape=shape))
