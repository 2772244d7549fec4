"""IBM Model 1 (Brown et al. 1993): alignment posteriors of one sentence pair.

Each word translates one word of the other side (a state) or the null word, all equally likely a
priori, so a posterior is a word's translation probability over the sum of them.
"""

import numba
import numpy as np

from dragoman.types import FloatArray


@numba.njit(nogil=True, cache=True)
def posteriors(emissions: FloatArray, null: FloatArray) -> tuple[FloatArray, FloatArray, float]:
    """p(word j translates state i | sentence pair), the null word's share, the log likelihood.

    ``emissions`` (words, states) holds the probability of each word under each state and is
    overwritten, ``null`` (words,) the probability under the null word.
    """
    words, states = emissions.shape
    null_posteriors = np.empty(words)
    log_likelihood = 0.0
    for j in range(words):
        total = null[j]
        for i in range(states):
            total += emissions[j, i]
        for i in range(states):
            emissions[j, i] /= total
        null_posteriors[j] = null[j] / total
        log_likelihood += np.log(total / (states + 1))
    return emissions, null_posteriors, log_likelihood
