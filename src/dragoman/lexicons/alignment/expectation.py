"""The E step: sentence pairs and parameters -> expected counts, in both directions in one pass.

``model1`` and ``hmm`` give the posteriors of a sentence pair; counting is the same for both. Where
the directions are trained to *agree* (Liang et al. 2006), a pair counts by the product of the two
posteriors, and both directions share these counts.
"""

from typing import NamedTuple

import numba
import numpy as np

from dragoman.lexicons.alignment import hmm, model1
from dragoman.lexicons.alignment.packed_bitext import PackedTexts
from dragoman.types import FloatArray, IntArray


class Parameters(NamedTuple):
    """Translation probabilities per slot, null probabilities per word, jumps per direction."""

    forward: FloatArray
    backward: FloatArray
    null_forward: FloatArray
    null_backward: FloatArray
    jumps: FloatArray


class ExpectedCounts(NamedTuple):
    """The expected counts of one E step and the log likelihood of each direction."""

    forward: FloatArray
    backward: FloatArray
    null_forward: FloatArray
    null_backward: FloatArray
    jumps: FloatArray
    log_likelihoods: FloatArray

    @classmethod
    def empty(cls, parameters: Parameters, agree: bool) -> "ExpectedCounts":
        """Zeros; agreeing directions share one array."""
        forward, backward, null_forward, null_backward, jumps = map(np.zeros_like, parameters)
        shared = forward if agree else backward
        return cls(forward, shared, null_forward, null_backward, jumps, np.zeros(2))

    def add(self, other: "ExpectedCounts") -> None:
        """Add the counts of other sentence pairs."""
        for name, ours, theirs in zip(self._fields, self, other, strict=True):
            if name != "backward" or self.backward is not self.forward:
                np.add(ours, theirs, out=ours)


@numba.njit(nogil=True, cache=True)
def sentence_emissions(
    slots: IntArray, forward: FloatArray, backward: FloatArray, dropped: float
) -> tuple[FloatArray, FloatArray]:
    """The translation probabilities of a sentence pair: (targets, sources), (sources, targets).

    ``slots`` (sources, targets) are those of the pair; a pruned one has probability ``dropped``.
    """
    sources, targets = slots.shape
    there, back = np.empty((targets, sources)), np.empty((sources, targets))
    for i in range(sources):
        for j in range(targets):
            slot = slots[i, j]
            there[j, i] = forward[slot] if slot >= 0 else dropped
            back[i, j] = backward[slot] if slot >= 0 else dropped
    return there, back


@numba.njit(nogil=True, cache=True)
def add_expected_counts(
    first: int,
    last: int,
    texts: PackedTexts,
    weights: IntArray,
    slots: IntArray,
    blocks: IntArray,
    parameters: Parameters,
    with_hmm: bool,
    agree: bool,
    counts: ExpectedCounts,
) -> None:
    """Add the expected counts and log likelihoods of sentence pairs ``first`` to ``last``."""
    for sentence in range(first, last):
        sources = texts.source[texts.source_starts[sentence] : texts.source_starts[sentence + 1]]
        targets = texts.target[texts.target_starts[sentence] : texts.target_starts[sentence + 1]]
        rows, columns = len(sources), len(targets)
        if rows == 0 or columns == 0:
            continue
        weight = weights[sentence]
        block = slots[blocks[sentence] : blocks[sentence + 1]].reshape(rows, columns)
        dropped = hmm.TINY if with_hmm else 0.0
        there, back = sentence_emissions(block, parameters.forward, parameters.backward, dropped)
        null_there, null_back = parameters.null_forward[targets], parameters.null_backward[sources]
        if with_hmm:
            jumps, jump_counts = parameters.jumps, counts.jumps
            there, null_there, forward_likelihood = hmm.posteriors(
                there, null_there, jumps[0], weight, jump_counts[0]
            )
            back, null_back, backward_likelihood = hmm.posteriors(
                back, null_back, jumps[1], weight, jump_counts[1]
            )
        else:
            there, null_there, forward_likelihood = model1.posteriors(there, null_there)
            back, null_back, backward_likelihood = model1.posteriors(back, null_back)
        counts.log_likelihoods[0] += weight * forward_likelihood
        counts.log_likelihoods[1] += weight * backward_likelihood
        for i in range(rows):
            counts.null_backward[sources[i]] += weight * null_back[i]
        for j in range(columns):
            counts.null_forward[targets[j]] += weight * null_there[j]
            for i in range(rows):
                slot = block[i, j]
                if slot < 0:
                    continue
                if agree:
                    counts.forward[slot] += weight * there[j, i] * back[i, j]
                else:
                    counts.forward[slot] += weight * there[j, i]
                    counts.backward[slot] += weight * back[i, j]
