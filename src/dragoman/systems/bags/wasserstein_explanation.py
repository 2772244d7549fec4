"""A transport plan -> links between words, strongest first (Figure 1 of Balikas et al. 2018)."""

from collections.abc import Sequence

import numpy as np

from dragoman.types import FloatArray, Link

LEAST_SHARE = 1e-3  # of all weight; thinner links are not told


def linked(plan: FloatArray, asked: Sequence[str], found: Sequence[str]) -> tuple[Link, ...]:
    """A link's share is the part of all weight that moves along it, its weight the query word's.

    Entropic plans move a little everywhere; links below ``LEAST_SHARE`` are left out.
    """
    total = plan.sum(axis=1, keepdims=True)
    goes = np.divide(plan, total, out=np.zeros_like(plan), where=total > 0)
    rows, columns = np.nonzero(plan >= LEAST_SHARE)
    links = [
        Link(asked[row], found[column], float(goes[row, column]), float(plan[row, column]))
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
    links.sort(key=lambda link: (-link.share, link.query_word, link.document_word))
    return tuple(links)
