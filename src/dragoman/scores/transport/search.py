"""The k documents nearest to a query, without computing the distances of all others.

Entropic distances are certified while they converge (``entropic_search``): a document is pruned as
soon as its converged distance is proven to be above the k-th best so far. Exact distances, and
entropic ones of a very small epsilon, are computed by rising lower bound (``bounded_search``).
The proofs are in docs/transport.md.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dragoman.errors import ConfigError
from dragoman.scores.transport.all_distances import FLOAT32_FROM
from dragoman.scores.transport.bag import WeightedBag, check_epsilon
from dragoman.scores.transport.bounded_search import search_by_bounds
from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.cost_table import thread_count
from dragoman.scores.transport.entropic_search import search_entropic
from dragoman.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class PruningReport:
    """How many documents of a search were solved, and why the others were not."""

    documents: int
    unknown: int  # without a known word: at distance inf, ranked last
    bounded: int  # pruned by a bound that needs no iteration
    certified: int  # pruned during the iteration
    solved: int  # whose distance was computed to convergence
    float64: int  # of these, in float64

    @property
    def pruned(self) -> float:
        """The share of documents with known words that were pruned."""
        known = self.documents - self.unknown
        return 1 - self.solved / known if known else 0.0


class NearestRows(NamedTuple):
    """Rows by rising distance, equal distances by row."""

    rows: IntArray
    distances: FloatArray
    report: PruningReport


def nearest(
    corpus: Corpus,
    query: WeightedBag,
    k: int,
    epsilon: float | None,
    rows: IntArray | None = None,
    *,
    threads: int | None = None,
) -> NearestRows:
    """The ``k`` nearest documents, of all or of ``rows``, as if every distance were computed.

    Documents at distance inf come last, by row. ``threads``: one per core if not given.
    """
    check_epsilon(epsilon)
    if k < 0:
        raise ConfigError(f"k must be 0 or more, got {k}")
    candidates = np.arange(len(corpus)) if rows is None else np.unique(np.asarray(rows, np.int64))
    has_words = corpus.indptr[candidates + 1] > corpus.indptr[candidates]
    known, unknown = candidates[has_words], candidates[~has_words]
    if not query.weights.any() or k == 0 or not len(known):
        report = PruningReport(len(candidates), len(unknown), len(known), 0, 0, 0)
        return NearestRows(candidates[:k], np.full(min(k, len(candidates)), np.inf), report)
    (some, here), workers = corpus.restrict(known), thread_count(threads)
    count = min(k, len(known))
    if epsilon is None or epsilon < FLOAT32_FROM:
        result = search_by_bounds(some, here, query, count, epsilon, workers)
    else:
        result = search_entropic(some, here, query, count, epsilon, workers)
    original = known if some is not corpus else np.arange(len(corpus))
    last = unknown[: max(k - len(known), 0)]
    return NearestRows(
        np.concatenate([original[result.rows], last]),
        np.concatenate([result.distances, np.full(len(last), np.inf)]),
        PruningReport(
            len(candidates),
            len(unknown),
            result.bounded,
            result.certified,
            result.solved,
            result.float64,
        ),
    )
