"""The HMM alignment model: where a word is translated depends on where its neighbour was.

Vogel et al. 1996, with the null states of Och and Ney 2003: a word may translate the null word,
and the next one then moves on from where the last real one stood. Jumps are counted by their
width up to ``WIDEST``; their weights are learnt beside the lexicon. Both directions are read in
one pass, and may be trained to agree as in ``model1``.
"""

import numba
import numpy as np

from dragoman.types import FloatArray, IntArray

WIDEST = 12
NULL = 0.1  # the probability that a word translates none
TINY = 1e-12  # the probability of a pair that pruning dropped, so that every path stays possible


def first_jumps() -> FloatArray:
    """Weights to begin with: one step on is likeliest, and wider jumps are ever less so."""
    return np.exp(-np.abs(np.arange(-WIDEST, WIDEST + 1) - 1) / 2.0)


@numba.njit(nogil=True, cache=True)
def transitions(states: int, jumps: FloatArray) -> FloatArray:
    """Row i: where the word after one that stood at i - 1 stands; row 0 is the sentence's start."""
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
    emissions: FloatArray, null: FloatArray, jumps: FloatArray, weight: float, jumped: FloatArray
) -> tuple[FloatArray, float]:
    """p(word j translates state i | sentence pair) by forward-backward, and the log likelihood.

    ``emissions`` (words, states) holds the probability of each word under each state, ``null``
    (words,) under the null word; what a row of the result lacks to one is the null word's.
    Expected jumps, times ``weight``, are added to ``jumped``.
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
        jumped[min(i + 1, WIDEST) + WIDEST] += weight * real[0, i]
        for after in range(states):
            width = min(max(after - i, -WIDEST), WIDEST)
            jumped[width + WIDEST] += weight * taken[after, i] * onward[after, i]
    return real, np.log(scales).sum()


@numba.njit(nogil=True, cache=True)
def sentence_emissions(
    rows: int, columns: int, block: int, slots: IntArray, forward: FloatArray, backward: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The probabilities of a sentence pair's words: (target, source) and (source, target)."""
    there, back = np.empty((columns, rows)), np.empty((rows, columns))
    for i in range(rows):
        for j in range(columns):
            slot = slots[block + i * columns + j]
            there[j, i] = forward[slot] if slot >= 0 else TINY
            back[i, j] = backward[slot] if slot >= 0 else TINY
    return there, back


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
    jumps: FloatArray,
    jumped: FloatArray,
) -> tuple[float, float]:
    """As ``model1.expectations``; ``jumps`` and ``jumped`` have a row for each direction."""
    forward_likelihood = backward_likelihood = 0.0
    for sentence in range(first, last):
        s, t = source_starts[sentence], target_starts[sentence]
        rows, columns = source_starts[sentence + 1] - s, target_starts[sentence + 1] - t
        if rows == 0 or columns == 0:
            continue
        weight, block = weights[sentence], blocks[sentence]
        sources, targets = source[s : s + rows], target[t : t + columns]
        emitted = sentence_emissions(rows, columns, block, slots, forward, backward)
        there, likelihood = posteriors(
            emitted[0], null_forward[targets], jumps[0], weight, jumped[0]
        )
        forward_likelihood += weight * likelihood
        back, likelihood = posteriors(
            emitted[1], null_backward[sources], jumps[1], weight, jumped[1]
        )
        backward_likelihood += weight * likelihood
        for i in range(rows):
            null_backward_counts[sources[i]] += weight * max(0.0, 1 - back[i].sum())
        for j in range(columns):
            null_forward_counts[targets[j]] += weight * max(0.0, 1 - there[j].sum())
            for i in range(rows):
                slot = slots[block + i * columns + j]
                if slot < 0:
                    continue
                if agree:
                    forward_counts[slot] += weight * there[j, i] * back[i, j]
                else:
                    forward_counts[slot] += weight * there[j, i]
                    backward_counts[slot] += weight * back[i, j]
    return forward_likelihood, backward_likelihood
