"""The k documents nearest to a query, found without solving the others to the end.

Entropic distances are certified while they converge (``kernels.settle``): a document is left as
soon as its converged distance is proven to be above the k-th best so far. Exact distances, and
entropic ones of a very small epsilon, are searched by rising lower bound; see ``by_bounds``.
The proofs are in docs/transport.md.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dragoman.errors import ConfigError
from dragoman.scores.transport.bounded_search import search_by_bounds
from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.entropic_search import search_certified
from dragoman.scores.transport.one_to_all import FLOAT32_FROM
from dragoman.scores.transport.table import thread_count
from dragoman.scores.transport.weighted import Weighted, check_epsilon
from dragoman.types import FloatArray, IntArray


@dataclass(frozen=True, slots=True)
class Report:
    """What became of the documents of a search."""

    documents: int  # all that were asked about
    unknown: int  # without a known word: at distance inf, ranked last
    bounded: int  # left because a bound that needs no iteration is above the k-th best
    certified: int  # left during the iteration
    solved: int  # whose distance was computed to the end
    float64: int  # of these, in float64

    @property
    def pruned(self) -> float:
        """The share of documents with known words that were left before the end."""
        known = self.documents - self.unknown
        return 1 - self.solved / known if known else 0.0


class Nearest(NamedTuple):
    """Rows by rising distance, equal distances by row."""

    rows: IntArray
    distances: FloatArray
    report: Report


def nearest(
    corpus: Corpus,
    query: Weighted,
    k: int,
    epsilon: float | None,
    rows: IntArray | None = None,
    *,
    threads: int | None = None,
) -> Nearest:
    """The ``k`` nearest documents, of all or of ``rows``, as if every distance had been computed.

    Documents at distance inf come last, by row. ``threads``: one per core if not given.
    """
    check_epsilon(epsilon)
    if k < 0:
        raise ConfigError(f"k must be 0 or more, got {k}")
    asked = np.arange(len(corpus)) if rows is None else np.unique(np.asarray(rows, np.int64))
    full = corpus.indptr[asked + 1] > corpus.indptr[asked]
    known, unknown = asked[full], asked[~full]
    if not query.weights.any() or k == 0 or not len(known):
        reach = np.full(min(k, len(asked)), np.inf)
        return Nearest(asked[:k], reach, Report(len(asked), len(unknown), len(known), 0, 0, 0))
    (some, places), workers = corpus.narrowed(known), thread_count(threads)
    count = min(k, len(known))
    if epsilon is None or epsilon < FLOAT32_FROM:
        found = search_by_bounds(some, places, query, count, epsilon, workers)
    else:
        found = search_certified(some, places, query, count, epsilon, workers)
    names = known if some is not corpus else np.arange(len(corpus))
    last = unknown[: max(k - len(known), 0)]
    return Nearest(
        np.concatenate([names[found.rows], last]),
        np.concatenate([found.distances, np.full(len(last), np.inf)]),
        Report(
            len(asked), len(unknown), found.bounded, found.certified, found.solved, found.float64
        ),
    )
