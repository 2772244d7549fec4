"""Terms -> a vector, and a score taken apart into the words that met."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dragoman.scores.impacts import SparseVector
from dragoman.types import Explanation, Link


class Term(NamedTuple):
    """A word's part in one dimension."""

    surface: str
    dimension: int
    probability: float  # that the dimension's word stands for this one
    weight: float  # of a query: what multiplies the impact; of a document: the expected count


def vector(terms: Iterable[Term]) -> SparseVector:
    """The summed weights by dimension, dimensions rising."""
    sums: dict[int, float] = {}
    for _, dimension, _, weight in terms:
        sums[dimension] = sums.get(dimension, 0.0) + weight
    return as_vector(sums)


def as_vector(sums: Mapping[int, float]) -> SparseVector:
    """Weights by dimension, dimensions rising."""
    dimensions = sorted(sums)
    weights = [sums[dimension] for dimension in dimensions]
    return SparseVector(np.array(dimensions, dtype=np.int64), np.array(weights, dtype=np.float32))


def explained(
    doc_id: str, asked: Sequence[Term], found: Sequence[Term], impacts: SparseVector
) -> Explanation:
    """The links between the query's terms and the document's.

    A dimension's part of the score is shared among the document's words by their counts in it. A
    pair of words that meets in several dimensions is one link: probabilities and shares add up.
    """
    impact = dict(zip(impacts.dimensions.tolist(), impacts.weights.tolist(), strict=True))
    counts: defaultdict[int, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    likely: dict[tuple[int, str], float] = {}
    for term in found:
        counts[term.dimension][term.surface] += term.weight
        likely[term.dimension, term.surface] = term.probability
    parts: defaultdict[tuple[str, str], float] = defaultdict(float)
    probabilities: defaultdict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for term in asked:
        here: dict[str, float] = counts.get(term.dimension, defaultdict(float))
        whole = sum(here.values())
        for surface, count in here.items():
            pair = (term.surface, surface)
            parts[pair] += term.weight * impact.get(term.dimension, 0.0) * count / whole
            probabilities[pair][term.dimension] = term.probability * likely[term.dimension, surface]
    score = sum(parts.values())
    links = [
        Link(asked_word, found_word, min(1.0, sum(probabilities[pair].values())), part / score)
        for pair, part in parts.items()
        if part > 0
        for asked_word, found_word in [pair]
    ]
    links.sort(key=lambda link: (-link.share, link.query_word, link.document_word))
    return Explanation(doc_id, score, tuple(links))
