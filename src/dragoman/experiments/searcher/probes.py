"""A trained model -> what its vectors, biases and probabilities are like (sections 4, 5 and 7).

Each probe gives one number for every item (word, pair of terms, term), so that means have intervals
and models are compared item by item:

    polysemy     Figure 4   the area under the ROC curve of one meaning's term over occurrences
    synonymy     Figure 5   how often a synonym is nearer than another term of equal frequency
    bias         section 4  Spearman's correlation of biases with the density around terms
    uncertainty  section 7  the entropy of probabilities, in bits; the lower, the sharper

All of them read sentence pairs that no training has seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.stats import mannwhitneyu, rankdata

from dragoman.encoders.sentence_encoder import normalized
from dragoman.experiments.sampling import evenly_spaced
from dragoman.experiments.searcher.meanings import (
    AmbiguousWord,
    Meanings,
    ambiguous_words,
    foreign_words,
    synonyms,
    term_frequencies,
)
from dragoman.experiments.searcher.normalization import ENGLISH
from dragoman.experiments.searcher.task import DetectionTask
from dragoman.systems.searcher.matching import pool_array
from dragoman.systems.searcher.model import SearcherModel
from dragoman.types import FloatArray

SENTENCES = 1_000  # unseen ones that densities and probabilities are read from
NEIGHBOURS = 10  # nearest foreign words, whose mean cosine is the density around a term
SEEN = 5  # training pairs with a term, at least, or its bias is the initial one
CONTROLS = 20  # terms of about a synonym's frequency that it is compared with

Sentences = Sequence[tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class ProbeItems:
    """What the models of a task are probed with, the same for all of them."""

    ambiguous: tuple[AmbiguousWord, ...]
    synonyms: tuple[tuple[str, str], ...]
    frequencies: dict[str, int]  # training pairs of each term
    sentences: tuple[tuple[str, ...], ...]  # unseen
    english: tuple[frozenset[str], ...]  # the words of their English sides


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """A number for every item, and their correlation without the influence of frequency."""

    polysemy: tuple[float, ...]
    synonymy: tuple[float, ...]
    bias: tuple[float, ...]
    bias_given_frequency: float
    uncertainty: tuple[float, ...]


def probe_items(task: DetectionTask) -> ProbeItems:
    """The items of a task; none of words and sentences where its documents are not aligned."""
    meanings = Meanings(task.language)
    pairs = [
        (words, frozenset(pair.source.split()))
        for pair in evenly_spaced(task.sentence_pairs, SENTENCES)
        if (words := foreign_words(pair, task.language))
    ]
    return ProbeItems(
        tuple(ambiguous_words(task, meanings)),
        tuple(synonyms(task, meanings)),
        dict(term_frequencies(task.training)),
        tuple(words for words, _ in pairs),
        tuple(english for _, english in pairs),
    )


def probe(model: SearcherModel, items: ProbeItems) -> ProbeResult:
    """All probes of a model."""
    terms = sorted(term for term, seen in items.frequencies.items() if seen >= SEEN)
    terms = [term for term in terms if model.terms.term((term,), ENGLISH) is not None]
    bias, given = bias_and_density(model, terms, items)
    return ProbeResult(
        tuple(polysemy(model, word) for word in items.ambiguous),
        tuple(synonymy(model, terms, items)),
        tuple(bias.tolist()),
        given,
        tuple(uncertainty(model, terms, items).tolist()),
    )


def polysemy(model: SearcherModel, word: AmbiguousWord) -> float:
    """How often a term scores an occurrence with its meaning above one with the other meaning.

    The score is the dot product of the term and the word in its context. The area under the ROC
    curve is that of either term, their mean; without context all occurrences are equal: .5. So
    they are for a model that does not know both terms.
    """
    if None in (model.terms.term((term,), ENGLISH) for term in word.terms):
        return 0.5
    vectors = _term_vectors(model, word.terms)[:, :-1]
    first, second = (_in_context(model, word, meaning) for meaning in (0, 1))
    areas = [_area(first @ vectors[0], second @ vectors[0]),
             _area(second @ vectors[1], first @ vectors[1])]  # fmt: skip
    return float(np.mean(areas))


def _in_context(model: SearcherModel, word: AmbiguousWord, meaning: int) -> FloatArray:
    """(occurrences, p): the vectors of a word where it has one meaning."""
    occurrences = word.occurrences[meaning]
    lengths = [len(one.sentence) for one in occurrences]
    starts = np.cumsum([0, *lengths[:-1]])
    positions = model.positions([one.sentence for one in occurrences])
    vectors: FloatArray = positions[starts + [one.position for one in occurrences]]
    return vectors


def _area(above: FloatArray, below: FloatArray) -> float:
    # rounded, because equal words differ in the last digits by their places in a batch
    statistic = mannwhitneyu(np.round(above, 4), np.round(below, 4)).statistic
    return float(statistic / (len(above) * len(below)))


def synonymy(model: SearcherModel, terms: Sequence[str], items: ProbeItems) -> list[float]:
    """How often a term's synonym has a higher cosine than terms of the synonym's frequency.

    For every pair of synonyms that the model knows, in either direction: the share of the
    ``CONTROLS`` terms of nearest frequency that the synonym is above (a tie counts half).
    """
    row = {term: number for number, term in enumerate(terms)}
    vectors = normalized(_term_vectors(model, terms)[:, :-1])
    frequencies = np.array([items.frequencies[term] for term in terms])
    shares = []
    for pair in items.synonyms:
        if not all(term in row for term in pair):
            continue
        both = [
            _share_below(vectors, frequencies, row[one], row[other])
            for one, other in (pair, pair[::-1])
        ]
        shares.append(float(np.mean(both)))
    return shares


def _share_below(vectors: FloatArray, frequencies: FloatArray, term: int, synonym: int) -> float:
    distances = np.abs(np.log(frequencies / frequencies[synonym]))
    distances[[term, synonym]] = np.inf
    controls = np.argsort(distances, kind="stable")[: min(CONTROLS, len(distances) - 2)]
    cosines = vectors[[synonym, *controls]] @ vectors[term]
    return float(np.mean(np.where(cosines[1:] == cosines[0], 0.5, cosines[1:] < cosines[0])))


def bias_and_density(
    model: SearcherModel, terms: Sequence[str], items: ProbeItems
) -> tuple[FloatArray, float]:
    """Spearman's correlation of bias and density, a share for every term; and given frequency.

    The mean of the shares is the correlation: they are products of standardised ranks. The density
    around a term is the mean cosine of its ``NEIGHBOURS`` nearest foreign words, each the mean of
    its vectors in context. The second number is the partial correlation given the frequency in
    the training pairs, which a bias depends on too: a frequent term is relevant more often.
    """
    if not items.sentences:
        return np.zeros(0), 0.0
    table = _term_vectors(model, terms)
    cosines = normalized(table[:, :-1]) @ _word_means(model, items.sentences).T
    count = min(NEIGHBOURS, cosines.shape[1])
    nearest = np.partition(cosines, -count, axis=1)[:, -count:]
    bias, density, frequency = (
        _standard_ranks(values)
        for values in (
            table[:, -1],
            nearest.mean(axis=1),
            np.array([items.frequencies[term] for term in terms]),
        )
    )
    rest = [one - (one @ frequency / len(terms)) * frequency for one in (bias, density)]
    partial = rest[0] @ rest[1] / max(float(np.sqrt((rest[0] @ rest[0]) * (rest[1] @ rest[1]))),
                                      1e-12)  # fmt: skip
    return bias * density, float(partial)


def _standard_ranks(values: FloatArray) -> FloatArray:
    """Ranks with mean 0 and deviation 1."""
    ranks = rankdata(values)
    deviation = ranks.std()
    standard: FloatArray = (ranks - ranks.mean()) / (deviation if deviation > 0 else 1.0)
    return standard


def _word_means(model: SearcherModel, sentences: Sentences) -> FloatArray:
    """(distinct words, p): of each word the mean of its vectors in context, of length one."""
    words = [word for sentence in sentences for word in sentence]
    distinct, rows = np.unique(words, return_inverse=True)
    sums = np.zeros((len(distinct), model.config.size))
    np.add.at(sums, rows, model.positions(sentences))
    return normalized(sums)


def uncertainty(model: SearcherModel, terms: Sequence[str], items: ProbeItems) -> FloatArray:
    """The mean entropy of a term's probabilities in bits, half of it over relevant sentences.

    Probabilities are the model's own, before calibration. Terms without a relevant sentence have no
    part.
    """
    labels = np.array([[term in english for english in items.english] for term in terms], bool)
    labels = labels.reshape(len(terms), len(items.english))
    both = labels.any(axis=1) & ~labels.all(axis=1)
    if not both.any():
        return np.zeros(0)
    table, labels = _term_vectors(model, terms)[both], labels[both]
    starts = np.cumsum([0, *map(len, items.sentences)], dtype=np.int64)
    dots = table[:, :-1] @ model.positions(items.sentences).T
    logits = pool_array(dots, starts, model.config.pooling) + table[:, -1:]
    entropies = _entropy(logits.astype(np.float64))
    means = [(entropies * mask).sum(axis=1) / mask.sum(axis=1) for mask in (labels, ~labels)]
    mean: FloatArray = np.mean(means, axis=0)
    return mean


def _entropy(logits: FloatArray) -> FloatArray:
    """The entropy of sigmoid(logit), in bits."""
    sizes = np.abs(logits)  # symmetric, and stable for large logits
    other = np.exp(-sizes) / (1 + np.exp(-sizes))
    entropy: FloatArray = (np.log1p(np.exp(-sizes)) + sizes * other) / np.log(2)
    return entropy


def _term_vectors(model: SearcherModel, terms: Sequence[str]) -> NDArray[np.float32]:
    """(n, p + 1): known terms, with the bias as last column."""
    known = [model.terms.term((term,), ENGLISH) for term in terms]
    return model.term_vectors([one for one in known if one is not None])
