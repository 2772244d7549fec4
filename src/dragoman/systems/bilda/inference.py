"""Compiled loop that finds the topics of one unseen text, the words' probabilities being fixed.

Drawn from p(k) = (n_dk + alpha) p(w | k): a sum over the text's own topics, and a part that no
count changes, whose running sums are made beforehand (Vulic et al. 2015, section 3.4). Random
numbers as in ``kernels``: the answer depends on the arguments alone.
"""

import numpy as np
from numba import njit

from dragoman.systems.bilda.kernels import UNDRAWN, uniform
from dragoman.types import FloatArray, IntArray


@njit("float64[:, ::1](float64[:, ::1], float64)", cache=True, nogil=True)
def _running(probabilities: FloatArray, alpha: float) -> FloatArray:
    """By word: the sums of alpha p(w | k) up to each topic."""
    words, topics = probabilities.shape
    sums = np.empty((words, topics))
    for word in range(words):
        reached = 0.0
        for topic in range(topics):
            reached += alpha * probabilities[word, topic]
            sums[word, topic] = reached
    return sums


@njit("int64(int64[::1], int64, int64)", cache=True, nogil=True)
def _without(present: IntArray, count: int, topic: int) -> int:
    """Take ``topic`` out of the first ``count``; the answer is how many are left."""
    gone = 0
    while present[gone] != topic:
        gone += 1
    present[gone] = present[count - 1]
    return count - 1


@njit(
    "int64(float64[::1], float64[::1], float64[::1], int64[::1], int64, float64)",
    cache=True,
    nogil=True,
)
def _draw(
    own: FloatArray, row: FloatArray, sums: FloatArray, present: IntArray, count: int, chance: float
) -> int:
    """A topic for a word whose probabilities are ``row``, by a ``chance`` in [0, 1)."""
    mass = 0.0
    for index in range(count):
        mass += own[present[index]] * row[present[index]]
    left = chance * (mass + sums[-1])
    if left >= mass:
        return int(min(np.searchsorted(sums, left - mass, side="right"), len(sums) - 1))
    index = 0
    left -= own[present[0]] * row[present[0]]
    while left >= 0 and index < count - 1:
        index += 1
        left -= own[present[index]] * row[present[index]]
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
    """The topics of one text, the mean of samples drawn ``every`` so many sweeps after ``burn_in``.

    ``probabilities`` (distinct words, topics) are p(word | topic); ``words`` are its rows, one for
    each running word.
    """
    topics = probabilities.shape[1]
    sums = _running(probabilities, alpha)
    own, sampled = np.zeros(topics), np.zeros(topics)
    present = np.empty(topics, dtype=np.int64)  # the topics that the text has, in no order
    count = 0
    drawn = np.full(len(words), UNDRAWN, dtype=np.int64)
    for number in range(1, sweeps + 1):
        for place in range(len(words)):
            word, topic = words[place], drawn[place]
            if topic != UNDRAWN:
                own[topic] -= 1
                if own[topic] == 0:
                    count = _without(present, count, topic)
            chance = uniform(key, (number - 1) * len(words) + place)
            topic = _draw(own, probabilities[word], sums[word], present, count, chance)
            if own[topic] == 0:
                present[count] = topic
                count += 1
            own[topic] += 1
            drawn[place] = topic
        if number > burn_in and (number - burn_in) % every == 0:
            sampled += own
    samples = (sweeps - burn_in) // every
    shares: FloatArray = (sampled / samples + alpha) / (len(words) + topics * alpha)
    return shares
