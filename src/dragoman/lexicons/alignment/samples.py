"""A few sentence pairs with their most probable alignment, for people to judge a table by."""

from dataclasses import dataclass

import numpy as np

from dragoman.lexicons.alignment import hmm
from dragoman.lexicons.alignment.aligner import AlignmentModel
from dragoman.lexicons.alignment.expectation import sentence_emissions
from dragoman.lexicons.alignment.packed_bitext import PackedBitext
from dragoman.types import FloatArray, IntArray

SHOWN = 5
SHORTEST, LONGEST = 3, 10  # words per side: enough to align, few enough to read


@dataclass(frozen=True, slots=True)
class AlignedSample:
    """A sentence pair; ``links`` are (source, target) positions, without null links."""

    source: tuple[str, ...]
    target: tuple[str, ...]
    links: tuple[tuple[int, int], ...]


def samples(bitext: PackedBitext, model: AlignmentModel) -> tuple[AlignedSample, ...]:
    """Readable sentence pairs, spread evenly over the text, aligned by the model."""
    texts = bitext.texts
    lengths = np.stack([np.diff(texts.source_starts), np.diff(texts.target_starts)])
    readable = np.flatnonzero(((lengths >= SHORTEST) & (lengths <= LONGEST)).all(axis=0))
    if len(readable) == 0:
        readable = np.arange(len(bitext))
    chosen = np.unique(np.linspace(0, len(readable) - 1, SHOWN).astype(int))
    return tuple(_sample(bitext, model, int(readable[n])) for n in chosen)


def _sample(bitext: PackedBitext, model: AlignmentModel, number: int) -> AlignedSample:
    source, target = bitext.sentence(number)
    pairs, parameters = model.pairs, model.parameters
    slots = pairs.slots[slice(*pairs.blocks[number : number + 2])].reshape(len(source), len(target))
    emissions, _ = sentence_emissions(slots, parameters.forward, parameters.backward, hmm.TINY)
    path = viterbi(emissions, parameters.null_forward[target], parameters.jumps[0])
    return AlignedSample(
        tuple(bitext.source_words[word] for word in source),
        tuple(bitext.target_words[word] for word in target),
        tuple((int(state), word) for word, state in enumerate(path) if state >= 0),
    )


def viterbi(emissions: FloatArray, null: FloatArray, jumps: FloatArray) -> IntArray:
    """The state that each word translates on the most probable path, -1 for the null word.

    Arguments as for ``hmm.posteriors``. State i is real, states + i the null state at i.
    """
    words, states = emissions.shape
    with np.errstate(divide="ignore"):
        log_moves = np.log(hmm.transitions(states, jumps))
        real = np.log(1 - hmm.NULL) + np.log(emissions)
        idle = np.log(hmm.NULL) + np.log(null)
    best = np.concatenate([log_moves[0] + real[0], np.full(states, idle[0] - np.log(states))])
    back = np.empty((words, 2 * states), dtype=np.int64)
    for word in range(1, words):
        standing = np.maximum(best[:states], best[states:])
        where = np.where(best[:states] >= best[states:], 0, states) + np.arange(states)
        arrivals = standing[:, None] + log_moves[1:]
        came = arrivals.argmax(axis=0)
        back[word] = np.concatenate([where[came], where])
        best = np.concatenate([arrivals.max(axis=0) + real[word], standing + idle[word]])
    path = np.empty(words, dtype=np.int64)
    state = int(best.argmax())
    for word in range(words - 1, -1, -1):
        path[word] = state if state < states else -1
        state = int(back[word, state]) if word else state
    return path
