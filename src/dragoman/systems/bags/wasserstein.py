"""Ranks documents by the transport cost of a query's words onto theirs; a score is minus the cost.

Algorithm 1 of Balikas et al. 2018: weigh by tf or idf, scale to sum to one, solve equation 1 or 2.
The k best are exact: what is left out is left out by proof (docs/transport.md).
"""

from collections.abc import Sequence
from typing import Self

import numpy as np
from scipy.sparse import csr_array

from dragoman.indexes.snapshot import Snapshot
from dragoman.scores.transport import Corpus, WeightedBag, distances, nearest, plan, warm_up
from dragoman.systems.bags.collection import WeighedWords
from dragoman.systems.bags.system import BagSystem, Near, scores_of
from dragoman.systems.bags.wasserstein_config import WassersteinConfig
from dragoman.systems.bags.wasserstein_explanation import linked
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query


class Wasserstein(BagSystem[WassersteinConfig]):
    """Bags of words with vectors, compared by transport."""

    name = "wasserstein"
    config_class = WassersteinConfig

    @classmethod
    def create(cls, config: WassersteinConfig) -> Self:
        """The word vectors, and the search's loops, so that no query waits for compiling."""
        warm_up()
        return super().create(config)

    def corpus(self, snapshot: Snapshot) -> Corpus:
        """The documents of the collection as transport reads them."""

        def built() -> Corpus:
            collection = self.collection(snapshot)
            return Corpus.build(collection.vocabulary.points, collection.bags)

        return snapshot.cached((self.name, self.config.weighting), built)

    def nearest(self, snapshot: Snapshot, query: WeighedWords, k: int, rows: IntArray) -> Near:
        """The ``k`` documents that the query's weight is moved onto most cheaply."""
        near = nearest(self.corpus(snapshot), _weighted(query), k, self.config.epsilon, rows)
        return Near(near.rows, near.distances)

    def distances(self, query: WeighedWords, documents: Sequence[WeighedWords]) -> FloatArray:
        """What moving the query's weight onto each document costs."""
        corpus = _stacked(documents, self.source.dimension)
        return distances(corpus, _weighted(query), self.config.epsilon)

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """Which query word went where: the transport plan as links."""
        return self.plans(snapshot, query, document, [self.config.epsilon])[0]

    def plans(
        self,
        snapshot: Snapshot,
        query: Query,
        document: Document,
        epsilons: Sequence[float | None],
    ) -> list[Explanation]:
        """The explanation under each regularisation (Figure 1 of the paper)."""
        source = self.query_words(snapshot, query.content, document.language)
        target = self.document_words(snapshot, document.content)
        explanations = []
        for epsilon in epsilons:
            moved = plan(_weighted(source), _weighted(target), epsilon)
            score = float(scores_of(np.array([moved.distance]))[0])
            links = linked(moved.plan, source.words, target.words)
            explanations.append(Explanation(document.doc_id, score, links))
        return explanations

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        return {**super().settings, "epsilon": self.config.epsilon}


def _weighted(words: WeighedWords) -> WeightedBag:
    return WeightedBag(words.points, words.weights)


def _stacked(bags: Sequence[WeighedWords], dimension: int) -> Corpus:
    """Bags of their own points as documents, in order."""
    starts = np.append(0, np.cumsum([len(bag.weights) for bag in bags], dtype=np.int64))
    points = np.concatenate([np.zeros((0, dimension), np.float32), *(bag.points for bag in bags)])
    weights = np.concatenate([np.zeros(0), *(bag.weights for bag in bags)])
    shape = (len(bags), len(points))
    return Corpus.build(points, csr_array((weights, np.arange(len(points)), starts), shape=shape))
