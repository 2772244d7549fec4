"""A score taken apart into the words that met."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from dragoman.indexes.spaces import Counts
from dragoman.types import Link


class Term(NamedTuple):
    """A word's part in one dimension."""

    surface: str
    dimension: int
    probability: float  # that the dimension's word stands for this one
    weight: float  # of a query: what multiplies the impact; of a document: the expected count


def counted(terms: Sequence[Term], length: int) -> Counts:
    """The expected counts of a document of ``length`` words."""
    sums: defaultdict[int, float] = defaultdict(float)
    for term in terms:
        sums[term.dimension] += term.weight
    dimensions = sorted(sums)
    counts = np.array([sums[dimension] for dimension in dimensions])
    return Counts(np.array(dimensions, np.uint32), counts, length)


def linked(
    query: Sequence[Term], document: Sequence[Term], impacts: Mapping[int, float]
) -> tuple[Link, ...]:
    """The links between the terms of a query and of a document; their shares sum to one.

    ``impacts`` is what a dimension of the document is multiplied with. A dimension's part of the
    score is shared among the document's words by their counts in it. A pair of words that meets in
    several dimensions is one link: probabilities and shares add up.
    """
    counts: defaultdict[int, defaultdict[str, float]] = defaultdict(lambda: defaultdict(float))
    likely: dict[tuple[int, str], float] = {}
    wanted = {term.dimension for term in query}
    for term in document:
        if term.dimension not in wanted:
            continue
        counts[term.dimension][term.surface] += term.weight
        likely[term.dimension, term.surface] = term.probability
    parts: defaultdict[tuple[str, str], float] = defaultdict(float)
    probabilities: defaultdict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for term in query:
        here: dict[str, float] = counts.get(term.dimension, defaultdict(float))
        whole = sum(here.values())
        for surface, count in here.items():
            pair = (term.surface, surface)
            parts[pair] += term.weight * impacts.get(term.dimension, 0.0) * count / whole
            probabilities[pair][term.dimension] = term.probability * likely[term.dimension, surface]
    total = sum(parts.values())
    links = [
        Link(*pair, min(1.0, sum(probabilities[pair].values())), part / total)
        for pair, part in parts.items()
        if part > 0
    ]
    links.sort(key=lambda link: (-link.share, link.query_word, link.document_word))
    return tuple(links)
