import tempfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from corpora import KOEHN, corpora, packed
from dragoman.errors import ConfigError
from dragoman.lexicons.alignment.aligner import AlignmentConfig, align
from plain_alignment import model1_round, uniform

PLAIN = AlignmentConfig(model1_rounds=3, hmm_rounds=0, alpha=0.0, agree=False, workers=1)


def aligned(pairs, config, rounds=lambda _: None):
    """The trained model as {(source, target): probability} both ways, and its last counts."""
    with tempfile.TemporaryDirectory() as name:
        bitext = packed(pairs, Path(name))
        found = align(bitext, Path(name), config, rounds)
        model = found.model
        keys = [
            (bitext.source_words[int(s)], bitext.target_words[int(t)])
            for s, t in zip(model.rows, model.pairs.columns, strict=True)
        ]
    return tuple(
        dict(zip(keys, values.tolist(), strict=True))
        for values in (*model.parameters[:2], found.forward_counts)
    )


def test_first_round_by_hand():
    # uniform start, null word beside two words: each word of a sentence has posterior
    # 1/row size over itself, the other word and the null word (1/4 for every target word)
    forward, _, counts = aligned(KOEHN, replace(PLAIN, model1_rounds=1))
    das, haus, null = 1 / 3, 1 / 2, 1 / 4
    in_both = das / (das + haus + null) + das / (das + das + null)
    assert counts["das", "the"] == pytest.approx(in_both)
    assert counts["haus", "house"] == pytest.approx(haus / (das + haus + null))
    assert forward["haus", "the"] == pytest.approx(0.5)


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_model1_is_the_textbook_s(rounds):
    table = uniform(KOEHN)
    for _ in range(rounds):
        table, _, _ = model1_round(KOEHN, table)
    forward, backward, _ = aligned(KOEHN, replace(PLAIN, model1_rounds=rounds))
    assert forward == pytest.approx({pair: p for pair, p in table.items() if pair[0] is not None})
    turned = [(target, source) for source, target in KOEHN]
    table = uniform(turned)
    for _ in range(rounds):
        table, _, _ = model1_round(turned, table)
    expected = {(s, t): p for (t, s), p in table.items() if t is not None}
    assert backward == pytest.approx(expected)


def test_ambiguity_is_resolved_by_the_other_sentences():
    forward, _, _ = aligned(KOEHN, replace(PLAIN, model1_rounds=20))
    assert forward["haus", "house"] > 0.9
    assert forward["buch", "book"] > 0.9


@given(corpora())
@settings(max_examples=25, deadline=None)
def test_likelihood_of_model1_never_falls_and_is_the_reference_s(pairs):
    rounds = []
    aligned(pairs, PLAIN, lambda found: rounds.append(found.log_likelihood))
    assert all(later >= earlier - 1e-9 for earlier, later in pairwise(rounds))
    turned = [(target, source) for source, target in pairs]
    both = sum(model1_round(side, uniform(side))[2] for side in (pairs, turned))
    assert rounds[0] == pytest.approx(both)


@given(corpora())
@settings(max_examples=15, deadline=None)
def test_order_of_sentences_does_not_matter(pairs):
    config = replace(PLAIN, hmm_rounds=2)
    for straight, turned in zip(aligned(pairs, config), aligned(pairs[::-1], config), strict=True):
        assert straight == pytest.approx(turned, abs=1e-9)


@pytest.mark.parametrize("agree", [False, True])
def test_threads_do_not_change_a_bit(agree, tmp_path):
    rng = np.random.default_rng(5)
    pairs = [
        ([f"s{n}" for n in rng.zipf(1.5, 8)], [f"t{n}" for n in rng.zipf(1.5, 7)])
        for _ in range(300)
    ]
    config = AlignmentConfig(agree=agree, alpha=0.01)
    one, two = (aligned(pairs, replace(config, workers=workers)) for workers in (1, 2))
    assert one == two


def test_hmm_follows_the_order_of_words():
    # Model 1 cannot tell these words apart: all of them meet in every sentence
    pairs = [(["a", "b", "c"], ["x", "y", "z"])] * 4 + [(["a", "b"], ["x", "y"])] * 4
    forward, _, _ = aligned(pairs, AlignmentConfig(model1_rounds=2, hmm_rounds=8, drop_below=0.0))
    assert forward["a", "x"] > forward["a", "y"]
    assert forward["b", "y"] > forward["b", "x"]


def test_hmm_likelihood_rises():
    rounds = []
    aligned(
        KOEHN * 3, AlignmentConfig(model1_rounds=2, hmm_rounds=4, drop_below=0.0), rounds.append
    )
    found = [step.log_likelihood for step in rounds if step.model == "HMM"]
    assert len(found) == 4
    assert found[-1] > found[0]


def test_pruning_between_models_drops_only_unlikely_pairs():
    whole, _, _ = aligned(KOEHN * 5, AlignmentConfig(model1_rounds=20, hmm_rounds=0))
    kept, _, _ = aligned(
        KOEHN * 5, AlignmentConfig(model1_rounds=20, hmm_rounds=1, drop_below=0.05)
    )
    assert set(kept) < set(whole)
    assert all(pair in kept for pair, p in whole.items() if p > 0.05)


def test_agreement_counts_no_more_than_either_direction():
    _, _, alone = aligned(KOEHN, replace(PLAIN, model1_rounds=1))
    _, _, agreed = aligned(KOEHN, replace(PLAIN, model1_rounds=1, agree=True))
    assert all(agreed[pair] <= count for pair, count in alone.items())


def test_a_positive_alpha_favours_pairs_seen_often():
    plain, _, _ = aligned(KOEHN, replace(PLAIN, model1_rounds=2))
    sparse, _, _ = aligned(KOEHN, replace(PLAIN, model1_rounds=2, alpha=0.01))
    assert (
        sparse["das", "the"] / sparse["das", "house"] > plain["das", "the"] / plain["das", "house"]
    )


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"model1_rounds": 0}, "at least one round of Model 1"),
        ({"alpha": -1.0}, "alpha must not be below 0, got -1.0"),
        ({"drop_below": 1.0}, "drop_below must be in"),
        ({"workers": 0}, "workers must be at least 1, got 0"),
    ],
)
def test_settings_out_of_range(setting, message):
    with pytest.raises(ConfigError, match=message):
        AlignmentConfig(**setting)
