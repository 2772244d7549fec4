"""Compiled Gibbs sampling of the topics of one unseen text under fixed word probabilities.

Topics are summed from p(k) = (n_dk + alpha) p(w | k) (Vulic et al. 2015, section 3.4): a sum over
the few topics that the text has, and a constant part whose cumulative sums are computed once.
Random numbers are hashes as in ``kernels``, so the result depends on the arguments alone.
"""

import numpy as np
from numba import njit

from dragoman.systems.bilda.kernels import UNASSIGNED, uniform
from dragoman.types import FloatArray, IntArray


@njit("float64[:, ::1](float64[:, ::1], float64)", cache=True, nogil=True)
def _cumulative(probabilities: FloatArray, alpha: float) -> FloatArray:
    """By word: the cumulative sums of alpha p(w | k) over the topics."""
    words, topics = probabilities.shape
    sums = np.empty((words, topics))
    for word in range(words):
        total = 0.0
        for topic in range(topics):
            total += alpha * probabilities[word, topic]
            sums[word, topic] = total
    return sums


@njit("int64(int64[::1], int64, int64)", cache=True, nogil=True)
def _remove(present: IntArray, count: int, topic: int) -> int:
    """Remove ``topic`` from the first ``count`` of ``present``; the number that remain."""
    index = 0
    while present[index] != topic:
        index += 1
    present[index] = present[count - 1]
    return count - 1


@njit(
    "int64(float64[::1], float64[::1], float64[::1], int64[::1], int64, float64)",
    cache=True,
    nogil=True,
)
def _sample_topic(
    counts: FloatArray,
    row: FloatArray,
    sums: FloatArray,
    present: IntArray,
    count: int,
    draw: float,
) -> int:
    """A topic for a word with probabilities ``row``; ``draw`` is in [0, 1)."""
    mass = 0.0
    for index in range(count):
        mass += counts[present[index]] * row[present[index]]
    remaining = draw * (mass + sums[-1])
    if remaining >= mass:
        return int(min(np.searchsorted(sums, remaining - mass, side="right"), len(sums) - 1))
    index = 0
    remaining -= counts[present[0]] * row[present[0]]
    while remaining >= 0 and index < count - 1:
        index += 1
        remaining -= counts[present[index]] * row[present[index]]
    return int(present[index])


@njit(
    "float64[::1](float64[:, ::1], int64[::1], float64, int64, int64, int64, uint64)",
    cache=True,
    nogil=True,
)
def infer(
    probabilities: FloatArray,
    words: IntArray,
    alpha: float,
    burn_in: int,
    every: int,
    sweeps: int,
    key: np.uint64,
) -> FloatArray:
    """The topic distribution of one text: the mean over a sample every ``every`` sweeps.

    ``probabilities`` (distinct words, topics) is p(word | topic); ``words`` has the row of each
    running word in it. Samples are taken after ``burn_in`` sweeps.
    """
    topics = probabilities.shape[1]
    sums = _cumulative(probabilities, alpha)
    counts, summed = np.zeros(topics), np.zeros(topics)
    present = np.empty(topics, dtype=np.int64)  # the topics that the text has, unordered
    count = 0
    assignments = np.full(len(words), UNASSIGNED, dtype=np.int64)
    for sweep in range(1, sweeps + 1):
        for position in range(len(words)):
            word, topic = words[position], assignments[position]
            if topic != UNASSIGNED:
                counts[topic] -= 1
                if counts[topic] == 0:
                    count = _remove(present, count, topic)
            draw = uniform(key, (sweep - 1) * len(words) + position)
            topic = _sample_topic(counts, probabilities[word], sums[word], present, count, draw)
            if counts[topic] == 0:
                present[count] = topic
                count += 1
            counts[topic] += 1
            assignments[position] = topic
        if sweep > burn_in and (sweep - burn_in) % every == 0:
            summed += counts
    samples = (sweeps - burn_in) // every
    shares: FloatArray = (summed / samples + alpha) / (len(words) + topics * alpha)
    return shares
