"""Other ways to the transport distance of one pair of bags: POT's and gensim's."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import ot
from gensim.models import KeyedVectors
from scipy.sparse import csr_array
from sklearn.metrics import euclidean_distances  # type: ignore[import-untyped]
from transport_bags import EPSILON

from dragoman.types import FloatArray

FOOTNOTE = "the paper's method (POT, union)"
FOOTNOTE_OWN = "the same, the pair's own words"
CONVERGED = "POT until converged, own words"
REFERENCE = "POT in the log domain, own words"
ENTROPIC = (FOOTNOTE, FOOTNOTE_OWN, CONVERGED)
FAR = 0.01  # of the reference

PairDistance = Callable[[csr_array, int], float]


class Peers:
    """The distance of a query and a document, by number, in several ways."""

    def __init__(self, points: FloatArray, documents: csr_array) -> None:
        self.points, self.documents = points.astype(np.float64), documents.astype(np.float64)
        self.vectors = KeyedVectors(points.shape[1], len(points))
        self.vectors.add_vectors([str(row) for row in range(len(points))], points)
        self.methods: Mapping[str, PairDistance] = {
            FOOTNOTE: lambda query, document: sinkhorn(*self.union(query, document), 50),
            FOOTNOTE_OWN: lambda query, document: sinkhorn(*self.pair(query, document), 50),
            CONVERGED: lambda query, document: sinkhorn(*self.pair(query, document), 100_000),
            REFERENCE: self.in_log_domain,
            "POT emd2, union": lambda query, document: float(ot.emd2(*self.union(query, document))),
            "POT emd2, own words": self.exact,
            "gensim wmdistance": self.gensim,
        }

    def in_log_domain(self, query: csr_array, document: int) -> float:
        """The entropic distance itself: nothing under- or overflows."""
        return sinkhorn(*self.pair(query, document), 100_000, method="sinkhorn_log")

    def exact(self, query: csr_array, document: int) -> float:
        """Equation 1 on the words that weigh something."""
        return float(ot.emd2(*self.pair(query, document)))

    def gensim(self, query: csr_array, document: int) -> float:
        """Every word once; the weights do not change the time."""
        return float(
            self.vectors.wmdistance(
                [str(row) for row in query.indices],
                [str(row) for row in self.documents[[document]].indices],
            )
        )

    def union(self, query: csr_array, document: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Weights over the union of the words, and all their distances."""
        words = np.union1d(self.documents[[document]].indices, query.indices)
        left = self.documents[[document]][:, words].toarray().ravel()
        right = query[:, words].toarray().ravel()
        return left / left.sum(), right / right.sum(), euclidean_distances(self.points[words])

    def pair(self, query: csr_array, document: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Weights of either side, and the distances between them."""
        other, weights = self.documents[[document]], query.data.astype(np.float64)
        costs = euclidean_distances(self.points[query.indices], self.points[other.indices])
        return weights / weights.sum(), other.data / other.data.sum(), costs


def sinkhorn(
    a: FloatArray,
    b: FloatArray,
    costs: FloatArray,
    iterations: int,
    method: str = "sinkhorn_stabilized",
) -> float:
    """POT's call, as the paper's footnote 6 has it; its own stopping threshold is 1e-9."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what fails is counted by the results
        return float(ot.sinkhorn2(a, b, costs, EPSILON, numItermax=iterations, method=method))


@dataclass
class Agreement:
    """How the distances of one method compare with the reference."""

    pairs: int = 0
    infinite: int = 0  # or not a number
    far: int = 0
    worst: float = 0.0  # relative error of the pairs that do not fail

    def add(self, values: FloatArray, reference: FloatArray) -> None:
        """Count the pairs of one query."""
        finite = np.isfinite(values)
        errors = np.abs(values[finite] / reference[finite] - 1)
        self.pairs += len(values)
        self.infinite += int((~finite).sum())
        self.far += int((errors > FAR).sum())
        self.worst = max([self.worst, *errors[errors <= FAR].tolist()])

    def __str__(self) -> str:
        failed = self.infinite + self.far
        return (
            f"fails on {failed} of {self.pairs} pairs ({failed / self.pairs:.0%}):"
            f" {self.infinite} not finite, {self.far} more than {FAR:.0%} away;"
            f" the others within {self.worst:.0e}"
        )
