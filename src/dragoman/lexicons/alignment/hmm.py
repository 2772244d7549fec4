"""The HMM alignment model: alignment posteriors of one sentence pair by forward-backward.

Vogel et al. 1996: the position that a word translates depends on its neighbour's. Null states are
those of Och and Ney 2003: a word may translate the null word, and the next one then jumps from the
position of the last real one. Jumps are counted by their width up to ``WIDEST``; their
probabilities are learnt together with the translation table.
"""

import numba
import numpy as np

from dragoman.types import FloatArray

WIDEST = 12
NULL = 0.1  # the probability that a word translates none
TINY = 1e-12  # the probability of a pruned pair, so that every path stays possible


def initial_jumps() -> FloatArray:
    """Jump weights before training: one step ahead weighs most, wider jumps ever less."""
    return np.exp(-np.abs(np.arange(-WIDEST, WIDEST + 1) - 1) / 2.0)


@numba.njit(nogil=True, cache=True)
def transitions(states: int, jumps: FloatArray) -> FloatArray:
    """Row i: p(next state | state i - 1); row 0 is the start of the sentence."""
    moves = np.empty((states + 1, states))
    for before in range(states + 1):
        total = 0.0
        for after in range(states):
            width = min(max(after - (before - 1), -WIDEST), WIDEST)
            moves[before, after] = jumps[width + WIDEST]
            total += moves[before, after]
        for after in range(states):
            moves[before, after] /= total
    return moves


@numba.njit(nogil=True, cache=True)
def forward_pass(
    emissions: FloatArray, null: FloatArray, moves: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Scaled forward probabilities of the real and the null states, and the scales."""
    words, states = emissions.shape
    real, idle = np.zeros((words, states)), np.empty((words, states))
    scales = np.empty(words)
    for j in range(words):
        if j == 0:
            real[0] = moves[0]
            idle[0] = NULL * null[0] / states
        else:
            for i in range(states):
                mass = real[j - 1, i] + idle[j - 1, i]
                idle[j, i] = NULL * null[j] * mass
                for after in range(states):
                    real[j, after] += mass * moves[i + 1, after]
        total = 0.0
        for i in range(states):
            real[j, i] *= (1 - NULL) * emissions[j, i]
            total += real[j, i] + idle[j, i]
        scales[j] = total
        for i in range(states):
            real[j, i] /= total
            idle[j, i] /= total
    return real, idle, scales


@numba.njit(nogil=True, cache=True)
def posteriors(
    emissions: FloatArray,
    null: FloatArray,
    jumps: FloatArray,
    weight: float,
    jump_counts: FloatArray,
) -> tuple[FloatArray, FloatArray, float]:
    """p(word j translates state i | sentence pair), the null word's share, the log likelihood.

    ``emissions`` (words, states) holds the probability of each word under each state, ``null``
    (words,) under the null word. Expected jumps, times ``weight``, are added to ``jump_counts``.
    """
    words, states = emissions.shape
    moves = transitions(states, jumps)
    onward = np.ascontiguousarray(moves[1:].T)  # rows are the states jumped to
    real, idle, scales = forward_pass(emissions, null, moves)
    taken = np.zeros((states, states))
    ahead = np.ones(states)
    for j in range(words - 1, 0, -1):
        stay = NULL * null[j] / scales[j]
        before = stay * ahead
        for after in range(states):
            arrives = (1 - NULL) * emissions[j, after] * ahead[after] / scales[j]
            for i in range(states):
                before[i] += arrives * onward[after, i]
                taken[after, i] += arrives * (real[j - 1, i] + idle[j - 1, i])
        for i in range(states):
            real[j, i] *= ahead[i]
        ahead = before
    for i in range(states):
        real[0, i] *= ahead[i]
        jump_counts[min(i + 1, WIDEST) + WIDEST] += weight * real[0, i]
        for after in range(states):
            width = min(max(after - i, -WIDEST), WIDEST)
            jump_counts[width + WIDEST] += weight * taken[after, i] * onward[after, i]
    null_posteriors = np.empty(words)
    for j in range(words):
        null_posteriors[j] = max(0.0, 1 - real[j].sum())
    return real, null_posteriors, np.log(scales).sum()
