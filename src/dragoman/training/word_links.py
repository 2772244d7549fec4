"""Query words, their shares of a score and their nearest document words -> links.

A word's share is how much the score falls when the query is scored without it; its link is the
document word whose vector has the highest cosine with its own.
"""

from collections.abc import Sequence

import numpy as np

from dragoman.types import FloatArray, Link


def nearest_links(
    query_words: Sequence[str],
    losses: FloatArray,
    document_words: Sequence[str],
    cosines: FloatArray,
) -> tuple[Link, ...]:
    """The links with a positive cosine, strongest first; shares of all words sum to one.

    Shapes: losses (n,), how much the score falls without each query word; cosines (n, m).
    """
    total = float(losses.sum()) or 1.0
    nearest = cosines.argmax(axis=1)
    links = [
        Link(word, document_words[best], float(np.clip(weight, 0, 1)), float(loss) / total)
        for word, loss, best, weight in zip(
            query_words, losses, nearest, cosines.max(axis=1), strict=True
        )
        if weight > 0
    ]
    links.sort(key=lambda link: (-link.share, -link.weight, link.query_word))
    return tuple(links)
