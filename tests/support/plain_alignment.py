"""Model 1 and HMM alignment as the papers write them: dictionaries, loops, no packing, no slots."""

from collections import defaultdict
from itertools import product

import numpy as np


def uniform(pairs):
    """t(target | source) over the words that meet, with the null word ``None``."""
    met = defaultdict(set)
    for source, target in pairs:
        for word in source:
            met[word] |= set(target)
    every = {word for _, target in pairs for word in target}
    table = {(s, t): 1 / len(words) for s, words in met.items() for t in words}
    return table | {(None, t): 1 / len(every) for t in every}


def model1_round(pairs, table):
    """One EM round of IBM Model 1: new table, expected counts, log likelihood under the old one."""
    counts, totals, likelihood = defaultdict(float), defaultdict(float), 0.0
    for source, target in pairs:
        states = [None, *source]
        for word in target:
            evidence = sum(table[state, word] for state in states)
            likelihood += np.log(evidence / len(states))
            for state in states:
                counts[state, word] += table[state, word] / evidence
                totals[state] += table[state, word] / evidence
    new = {(s, t): count / totals[s] for (s, t), count in counts.items()}
    return new, dict(counts), likelihood


def hmm_posteriors(emissions, null, jumps, null_probability, widest):
    """p(word j <- state i) by enumerating every path; for tiny sentences only."""
    words, states = emissions.shape
    result, evidence = np.zeros((words, states)), 0.0
    jumped = np.zeros(2 * widest + 1)
    for path in product(range(states), [False, True], repeat=words):
        places, idle = path[0::2], path[1::2]
        probability, at = 1.0, None
        taken = []
        for j, (place, is_null) in enumerate(zip(places, idle, strict=True)):
            if is_null:
                stays = 1 / states if at is None else float(place == at)
                probability *= null_probability * stays * null[j]
            else:
                before = -1 if at is None else at
                weights = [jumps[width(i - before, widest)] for i in range(states)]
                move = weights[place] / sum(weights)
                probability *= (1 - null_probability) * move * emissions[j, place]
                taken.append(width(place - before, widest))
            at = place
        evidence += probability
        for j, (place, is_null) in enumerate(zip(places, idle, strict=True)):
            if not is_null:
                result[j, place] += probability
        for index in taken:
            jumped[index] += probability
    return result / evidence, jumped / evidence, np.log(evidence)


def width(jump, widest):
    return min(max(jump, -widest), widest) + widest
