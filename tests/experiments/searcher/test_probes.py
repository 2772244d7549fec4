"""Probes of models whose vectors are known, and against scipy."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

import torch
from scipy.stats import entropy, spearmanr

from dragoman.experiments.searcher.meanings import AmbiguousWord, Occurrence
from dragoman.experiments.searcher.probes import (
    NEIGHBOURS,
    ProbeItems,
    bias_and_density,
    polysemy,
    synonymy,
    uncertainty,
)
from dragoman.systems.searcher.config import SearcherConfig, SearcherModelConfig
from dragoman.systems.searcher.training import initial_model
from dragoman.systems.searcher.training_data import read_training_data
from dragoman.types import SentencePair
from toy_bitext import TRANSLATIONS, sentences

PAIRS = [SentencePair(*pair) for pair in sentences(80)]
TERMS = sorted(TRANSLATIONS)


def model_of(blocks):
    config = SearcherConfig(model=SearcherModelConfig(size=8, blocks=blocks)).from_random()
    model = initial_model(read_training_data("toy", PAIRS, ("en", "sw"), config), config)
    rng = np.random.default_rng(0)
    with torch.no_grad():
        model.queries.weight[:, -1] += torch.from_numpy(
            rng.normal(0, 3, len(model.queries.weight)).astype(np.float32)
        )
    return model


@pytest.fixture(scope="module")
def items():
    return ProbeItems(
        ambiguous=(),
        synonyms=(("rain", "water"), ("ash", "unknown")),
        frequencies={term: 5 + number for number, term in enumerate(TERMS)},
        sentences=tuple(tuple(pair.target.split()) for pair in PAIRS[:20]),
        english=tuple(frozenset(pair.source.split()) for pair in PAIRS[:20]),
    )


WORD = AmbiguousWord(
    "maji",
    ("water", "fire"),
    (
        (Occurrence(("maji", "mto"), 0), Occurrence(("mvua", "maji"), 1)),
        (Occurrence(("moto", "maji", "moshi"), 1), Occurrence(("maji",), 0)),
    ),
)


def test_without_context_a_word_has_one_vector():
    assert polysemy(model_of(0), WORD) == 0.5


def test_a_model_without_a_term_does_not_tell_meanings_apart():
    assert polysemy(model_of(1), replace(WORD, terms=("water", "unseen"))) == 0.5


def test_the_area_counts_pairs_of_occurrences():
    model = model_of(1)
    vectors = model.term_vectors([model.terms.term((term,), "en") for term in WORD.terms])[:, :-1]
    wins = []
    for vector, (own, other) in zip(
        vectors, (WORD.occurrences, WORD.occurrences[::-1]), strict=True
    ):
        above, below = (
            [model.positions([one.sentence])[one.position] @ vector for one in some]
            for some in (own, other)
        )
        wins.append(np.mean([[x > y for y in below] for x in above]))
    assert polysemy(model, WORD) == pytest.approx(np.mean(wins))


def test_equal_vectors_are_the_nearest(items):
    model = model_of(0)
    rows = [model.terms.term((term,), "en").rows for term in ("rain", "water")]
    with torch.no_grad():
        for one, other in zip(*rows, strict=True):
            model.queries.weight[one, :-1] = model.queries.weight[other, :-1]
    assert synonymy(model, TERMS, items) == [1.0]
    with torch.no_grad():
        for one, other in zip(*rows, strict=True):
            model.queries.weight[one, :-1] = -model.queries.weight[other, :-1]
    assert synonymy(model, TERMS, items) == [0.0]


def test_the_shares_of_terms_add_up_to_spearmans_correlation(items):
    model = model_of(1)
    shares, partial = bias_and_density(model, TERMS, items)
    table = model.term_vectors([model.terms.term((term,), "en") for term in TERMS])
    contexts = {}
    for sentence in items.sentences:
        for word, vector in zip(sentence, model.positions([sentence]), strict=True):
            contexts.setdefault(word, []).append(vector)
    means = [np.mean(vectors, axis=0) for vectors in contexts.values()]
    density = [
        np.mean(sorted(t @ m / np.linalg.norm(t) / np.linalg.norm(m) for m in means)[-NEIGHBOURS:])
        for t in table[:, :-1]
    ]
    assert shares.mean() == pytest.approx(spearmanr(table[:, -1], density).statistic, abs=1e-6)
    frequency = [items.frequencies[term] for term in TERMS]
    r = spearmanr(np.stack([table[:, -1], density, frequency], axis=1)).statistic
    expected = (r[0, 1] - r[0, 2] * r[1, 2]) / np.sqrt((1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2))
    assert partial == pytest.approx(expected, abs=1e-6)


def test_uncertainty_is_the_entropy_of_both_kinds_of_sentences(items):
    model = model_of(1)
    found = uncertainty(model, ["water"], items)
    term = model.terms.term(("water",), "en")
    kinds = {True: [], False: []}
    for sentence, english in zip(items.sentences, items.english, strict=True):
        vector = model.term_vectors([term])[0]
        dots = model.positions([sentence]) @ vector[:-1]
        weights = np.exp(dots) / np.exp(dots).sum()
        chance = 1 / (1 + np.exp(-(weights @ dots + vector[-1])))
        kinds["water" in english].append(entropy([chance, 1 - chance], base=2))
    assert found == pytest.approx(
        [np.mean([np.mean(kinds[True]), np.mean(kinds[False])])], abs=1e-4
    )
    assert not len(uncertainty(model, ["water"], replace(items, english=(frozenset(),) * 20)))
