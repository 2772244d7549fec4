"""Ranks documents by the cost of transporting a query's words onto theirs.

Algorithm 1 of Balikas et al. 2018: weight words by tf or tf-idf, normalise to sum to one, solve
equation 1 (exact) or 2 (entropic). A score is minus the cost. The k best are exact: documents are
skipped only where a bound proves that they are not among them (docs/transport.md).
"""

from collections.abc import Sequence
from typing import Self

import numpy as np
from scipy.sparse import csr_array

from dragoman.indexes.snapshot import Snapshot
from dragoman.scores.transport import Corpus, WeightedBag, distances, nearest, plan, warm_up
from dragoman.systems.bags.collection import WeightedWords
from dragoman.systems.bags.config import WassersteinConfig
from dragoman.systems.bags.explanation import transport_links
from dragoman.systems.bags.system import BagSystem, NearestDocuments, scores_of
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query


class WassersteinSystem(BagSystem[WassersteinConfig]):
    """Bags compared by transport cost."""

    name = "wasserstein"
    config_class = WassersteinConfig

    @classmethod
    def create(cls, config: WassersteinConfig) -> Self:
        """The system with its word vectors and compiled kernels."""
        warm_up()
        return super().create(config)

    def corpus(self, snapshot: Snapshot) -> Corpus:
        """The documents of the collection in the form that the transport kernels read."""

        def build() -> Corpus:
            collection = self.collection(snapshot)
            return Corpus.build(collection.vocabulary.points, collection.bags)

        return snapshot.cached((self.name, self.config.weighting), build)

    def nearest(
        self, snapshot: Snapshot, query: WeightedWords, k: int, rows: IntArray
    ) -> NearestDocuments:
        """The ``k`` documents with the lowest transport cost."""
        best = nearest(self.corpus(snapshot), _transported(query), k, self.config.epsilon, rows)
        return NearestDocuments(best.rows, best.distances)

    def distances(self, query: WeightedWords, documents: Sequence[WeightedWords]) -> FloatArray:
        """The transport cost of the query onto each document."""
        corpus = _corpus_of(documents, self.source.dimension)
        return distances(corpus, _transported(query), self.config.epsilon)

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """The transport plan as links between words."""
        return self.plans(snapshot, query, document, [self.config.epsilon])[0]

    def plans(
        self,
        snapshot: Snapshot,
        query: Query,
        document: Document,
        epsilons: Sequence[float | None],
    ) -> list[Explanation]:
        """The explanation under each regularisation (Figure 1 of the paper)."""
        source = self.query_bag(snapshot, query.content, document.language)
        target = self.document_bag(snapshot, document.content)
        explanations = []
        for epsilon in epsilons:
            transport = plan(_transported(source), _transported(target), epsilon)
            score = float(scores_of(np.array([transport.distance]))[0])
            links = transport_links(transport.plan, source.words, target.words)
            explanations.append(Explanation(document.doc_id, score, links))
        return explanations

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to be comparable."""
        return {**super().settings, "epsilon": self.config.epsilon}


def _transported(bag: WeightedWords) -> WeightedBag:
    return WeightedBag(bag.points, bag.weights)


def _corpus_of(bags: Sequence[WeightedWords], dimension: int) -> Corpus:
    """A corpus of these bags, in order, none sharing points."""
    starts = np.append(0, np.cumsum([len(bag.weights) for bag in bags], dtype=np.int64))
    points = np.concatenate([np.zeros((0, dimension), np.float32), *(bag.points for bag in bags)])
    weights = np.concatenate([np.zeros(0), *(bag.weights for bag in bags)])
    shape = (len(bags), len(points))
    return Corpus.build(points, csr_array((weights, np.arange(len(points)), starts), shape=shape))
