"""Vectors of queries and documents -> how they fill their space (Figure 4), in points and numbers.

The paper looks at a projection on three principal components and calls representations degenerate
that lie within a narrow boundary. The numbers describe all dimensions: the mean cosine of two
random vectors (near 1 is a narrow cone), the effective number of dimensions (the exponential of the
entropy of the components' shares, Roy and Vetterli 2007), and the share of the variance between
languages.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.types import FloatArray

COMPONENTS = 3


@dataclass(frozen=True, slots=True)
class RepresentationSpace:
    """The principal components of vectors and measures of their spread."""

    labels: tuple[str, ...]  # of each point: the language of a query, or DOCUMENT
    points: tuple[tuple[float, ...], ...]  # on the first principal components
    shares: tuple[float, ...]  # of the variance, on these
    mean_cosine: float
    dimensions: float
    between: float


def measure_space(vectors: FloatArray, labels: Sequence[str]) -> RepresentationSpace:
    """The space of vectors (n, d), n at least 2, after scaling them to length one."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = np.asarray(vectors, np.float64) / np.maximum(lengths, np.finfo(np.float32).tiny)
    n = len(unit)
    cosines = (float(np.square(unit.sum(axis=0)).sum()) - n) / (n * (n - 1))
    centred = unit - unit.mean(axis=0)
    _, sizes, axes = np.linalg.svd(centred, full_matrices=False)
    variances = np.square(sizes)
    total = float(variances.sum()) or 1.0
    shares = variances / total
    filled = shares[shares > 0]
    points = centred @ axes[:COMPONENTS].T
    return RepresentationSpace(
        tuple(labels),
        tuple(tuple(round(float(x), 4) for x in point) for point in points),
        tuple(float(share) for share in shares[:COMPONENTS]),
        cosines,
        float(np.exp(-(filled * np.log(filled)).sum())),
        _between(centred, labels) / total,
    )


def _between(centred: FloatArray, labels: Sequence[str]) -> float:
    """The sum of squared distances between the groups' means and the overall mean."""
    groups = np.array(labels)
    total = 0.0
    for label in dict.fromkeys(labels):
        group = centred[groups == label]
        total += len(group) * float(np.square(group.mean(axis=0)).sum())
    return total


def spaces_markdown(spaces: Mapping[str, RepresentationSpace]) -> list[str]:
    """Figure 4 in numbers, a row for each model."""
    return [
        "| Figure 4 | mean cosine | effective dimensions | variance between languages |",
        "|---|---:|---:|---:|",
        *(
            f"| {name} | {one.mean_cosine:.3f} | {one.dimensions:.1f} | {one.between:.0%} |"
            for name, one in spaces.items()
        ),
    ]
