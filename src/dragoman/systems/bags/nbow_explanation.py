"""Which words bring two averages together: the terms of their inner product.

The product of sum_i u_i x_i and sum_j v_j y_j is the sum of u_i v_j x_i y_j over pairs of words.
"""

import numpy as np

from dragoman.systems.bags.collection import WeighedWords
from dragoman.types import Link


def linked(query: WeighedWords, document: WeighedWords) -> tuple[Link, ...]:
    """For each query word the document word that adds most to the product, strongest first.

    A link's weight is the cosine of the two; its share is what they add, of the sum over all
    links. Query words that nothing in the document is on the side of have none.
    """
    if not query.words or not document.words:
        return ()
    cosines = query.points.astype(np.float64) @ document.points.astype(np.float64).T
    added = query.weights[:, None] * cosines * document.weights
    best = added.argmax(axis=1)
    parts = added[np.arange(len(best)), best]
    order = [i for i in np.argsort(-parts, kind="stable").tolist() if parts[i] > 0]
    whole = parts[order].sum()
    return tuple(
        Link(
            query.words[i],
            document.words[best[i]],
            float(cosines[i, best[i]]),
            float(parts[i] / whole),
        )
        for i in order
    )
