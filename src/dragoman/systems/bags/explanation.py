"""Two weighted bags -> links between their words, strongest first."""

from collections.abc import Sequence

import numpy as np

from dragoman.systems.bags.collection import WeightedWords
from dragoman.types import FloatArray, Link

MIN_SHARE = 1e-3  # of all weight; entropic plans move less than this between nearly all pairs


def transport_links(
    plan: FloatArray, query_words: Sequence[str], document_words: Sequence[str]
) -> tuple[Link, ...]:
    """The links of a transport plan (Figure 1 of Balikas et al. 2018).

    A link's share is the part of all weight that moves along it, its weight the part of the query
    word's. Links below ``MIN_SHARE`` are left out.
    """
    total = plan.sum(axis=1, keepdims=True)
    moved = np.divide(plan, total, out=np.zeros_like(plan), where=total > 0)
    rows, columns = np.nonzero(plan >= MIN_SHARE)
    links = [
        Link(
            query_words[row],
            document_words[column],
            float(moved[row, column]),
            float(plan[row, column]),
        )
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
    links.sort(key=lambda link: (-link.share, link.query_word, link.document_word))
    return tuple(links)


def product_links(query: WeightedWords, document: WeightedWords) -> tuple[Link, ...]:
    """For each query word the document word that adds most to the product of the averages.

    The inner product of sum_i u_i x_i and sum_j v_j y_j is the sum of u_i v_j x_i y_j over pairs of
    words. A link's weight is the cosine x_i y_j, its share what the pair adds, relative to all
    links. A query word whose best pair adds nothing has no link.
    """
    if not query.words or not document.words:
        return ()
    cosines = query.points.astype(np.float64) @ document.points.astype(np.float64).T
    added = query.weights[:, None] * cosines * document.weights
    best = added.argmax(axis=1)
    terms = added[np.arange(len(best)), best]
    order = [row for row in np.argsort(-terms, kind="stable").tolist() if terms[row] > 0]
    total = terms[order].sum()
    return tuple(
        Link(
            query.words[row],
            document.words[best[row]],
            float(cosines[row, best[row]]),
            float(terms[row] / total),
        )
        for row in order
    )
