"""IBM Model 1 in both directions at once: one pass over the sentences, expected counts out.

Brown et al. 1993. Each target word is a translation of one source word or of the null word, all
equally likely beforehand; the other direction reads the same word pairs the other way. Where the
directions are trained to *agree* (Liang et al. 2006), a pair counts by the product of the two
posteriors, and both directions share these counts.
"""

import numba
import numpy as np

from dragoman.types import FloatArray, IntArray


@numba.njit(nogil=True, cache=True)
def expectations(
    first: int,
    last: int,
    source: IntArray,
    source_starts: IntArray,
    target: IntArray,
    target_starts: IntArray,
    weights: IntArray,
    slots: IntArray,
    blocks: IntArray,
    forward: FloatArray,
    backward: FloatArray,
    null_forward: FloatArray,
    null_backward: FloatArray,
    agree: bool,
    forward_counts: FloatArray,
    backward_counts: FloatArray,
    null_forward_counts: FloatArray,
    null_backward_counts: FloatArray,
) -> tuple[float, float]:
    """Add the expected counts of sentence pairs ``first`` to ``last``; both log likelihoods.

    ``forward`` and ``backward`` hold a probability per slot; a dropped slot counts as 0.
    """
    forward_likelihood = backward_likelihood = 0.0
    for sentence in range(first, last):
        s, t = source_starts[sentence], target_starts[sentence]
        rows, columns = source_starts[sentence + 1] - s, target_starts[sentence + 1] - t
        if rows == 0 or columns == 0:
            continue
        weight = weights[sentence]
        block = blocks[sentence]
        column_sums = np.empty(columns)
        for j in range(columns):
            column_sums[j] = null_forward[target[t + j]]
        row_sums = np.empty(rows)
        for i in range(rows):
            total = null_backward[source[s + i]]
            for j in range(columns):
                slot = slots[block + i * columns + j]
                if slot >= 0:
                    column_sums[j] += forward[slot]
                    total += backward[slot]
            row_sums[i] = total
        for j in range(columns):
            null_forward_counts[target[t + j]] += (
                weight * null_forward[target[t + j]] / column_sums[j]
            )
            forward_likelihood += weight * np.log(column_sums[j] / (rows + 1))
        for i in range(rows):
            null_backward_counts[source[s + i]] += (
                weight * null_backward[source[s + i]] / row_sums[i]
            )
            backward_likelihood += weight * np.log(row_sums[i] / (columns + 1))
            for j in range(columns):
                slot = slots[block + i * columns + j]
                if slot >= 0:
                    there = forward[slot] / column_sums[j]
                    back = backward[slot] / row_sums[i]
                    if agree:
                        forward_counts[slot] += weight * there * back
                    else:
                        forward_counts[slot] += weight * there
                        backward_counts[slot] += weight * back
    return forward_likelihood, backward_likelihood
