"""Optimal transport between weighted bags of points (Balikas et al. 2018).

A document is a bag of words: points on the unit sphere with weights that sum to one. The distance
of a query and a document is the cost of the best transport plan between them, where moving weight
from x to y costs the Euclidean distance of x and y:

- ``epsilon=None``: exact transport, the Word Mover's Distance (equation 1);
- ``epsilon=0.1``: entropic transport (equation 2). The plan P* minimises
  ``<P, C> + epsilon * sum(P * ln P)`` and the distance is ``<P*, C>``, the cost alone, of the
  converged plan: what POT's ``sinkhorn2(a, b, C, reg=epsilon)`` returns. The paper's lambda = 0.1
  is this epsilon, as its footnote 6 says, and not the 1/lambda of its equation 2.

Contents:

- ``WeightedBag(points, weights)``: a query, or a single document;
- ``plan(query, document, epsilon)``: the plan and the distance of one pair;
- ``Corpus.build(points, bags)``: many documents; ``save``, ``open`` (memory-mapped), ``append``;
- ``distances(corpus, query, epsilon, rows)``: every document's distance, or those of ``rows``;
- ``nearest(corpus, query, k, epsilon, rows)``: the k nearest, the same as if all distances were
  computed, with a report of how many documents were pruned; equal distances by row;
- ``warm_up()``: compiles the kernels, so that the first search does not wait for the compiler.

Distances are small where documents are alike; a system that scores negates them. A document
without a known word is at distance ``inf``, ranks last and is counted in the report. How the search
works, and why a pruned document cannot be among the k nearest: docs/transport.md.
"""

from dragoman.scores.transport.all_distances import distances
from dragoman.scores.transport.bag import WeightedBag
from dragoman.scores.transport.corpus import Corpus
from dragoman.scores.transport.pair import Transport, plan
from dragoman.scores.transport.search import NearestRows, PruningReport, nearest
from dragoman.scores.transport.warmup import warm_up

__all__ = [
    "Corpus",
    "NearestRows",
    "PruningReport",
    "Transport",
    "WeightedBag",
    "distances",
    "nearest",
    "plan",
    "warm_up",
]
