"""The best hits -> documents that say the same in other languages.

A translation of a good hit is a good hit, even where the question itself hardly reaches its
language: two sentences that say the same are closer than a question and its answer, and a student
that is too weak for questions still tells a translation from the rest. A document counts as one
where its cosine with the hit stands out from the best cosines in its language by more than a
``MARGIN`` of deviations, which is the margin criterion of bitext mining (Artetxe and Schwenk 2019)
on the scale that languages are balanced with. In a collection without translations hardly anything
stands out so far, and rankings stay as they are.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.indexes.filters import Filter
from dragoman.indexes.spaces import Sparse
from dragoman.indexes.store import Store
from dragoman.ranking.balance import BEST, best_scores, scales
from dragoman.types import FloatArray, Hit

# Set on half of XQuAD-R's articles, in a pool with translations and in one without.
MARGIN = 3.0
TEMPERATURE = 2.0  # of the hits' weights: how much the first counts more than the second


@dataclass(frozen=True, slots=True)
class Caller:
    """A hit whose translations are looked for."""

    language: str
    weight: float
    vector: FloatArray


Echoes = Mapping[str, Mapping[str, float]]  # language -> document -> how far it stands out


def callers(
    store: Store, space: str, question: FloatArray, hits: Sequence[tuple[str, Hit]]
) -> list[Caller]:
    """The hits (each with its language) as vectors: of a document's passages, the nearest."""
    if not hits:
        return []
    scores = np.array([hit.score for _, hit in hits])
    weights = np.exp((scores - scores.max()) / TEMPERATURE)
    weights /= weights.sum()
    records = store.find([hit.doc_id for _, hit in hits], [space])
    rows = {record.document.doc_id: record.vectors.get(space) for record in records}
    found = []
    for (language, hit), weight in zip(hits, weights, strict=True):
        passages = rows.get(hit.doc_id)
        if passages is not None and not isinstance(passages, Sparse):
            nearest = passages[int((passages @ question).argmax())]
            found.append(Caller(language, float(weight), nearest))
    return found


def echoes(
    store: Store, space: str, calling: Sequence[Caller], groups: Mapping[str, Filter]
) -> Echoes:
    """What answers in each language: the sum over the hits of other languages, by their weights."""
    heard: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for caller in calling:
        near = {
            code: store.nearest(space, caller.vector, BEST, allowed, roughly=True)
            for code, allowed in groups.items()
            if code != caller.language
        }
        scaled = scales({code: best_scores(hits) for code, hits in near.items()})
        for code, hits in near.items():
            above = scaled[code].of(np.array([hit.score for hit in hits])) - MARGIN
            for hit, distance in zip(hits, above, strict=True):
                if distance <= 0:
                    break
                heard[code][hit.doc_id] += caller.weight * float(distance)
    return heard
