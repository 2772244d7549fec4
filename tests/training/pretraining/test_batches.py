"""Epochs: kinds, groups, lengths, and that they can be entered anywhere."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.training.pretraining.batches import (
    BatchKind,
    PretrainBatches,
    candidate_probabilities,
    pad_sides,
    sample_pairs,
    token_frequencies,
)
from dragoman.training.pretraining.config import ObjectiveConfig
from dragoman.training.pretraining.training_data import TextChunks
from dragoman.training.sequences import Sequences
from toy_pretraining import CONFIG, toy_data, toy_vectors


def described(batch):
    lines = batch.masked.inputs
    arrays = (
        lines.tokens,
        lines.positions,
        batch.masked.indices,
        batch.masked.targets,
        batch.candidates,
    )
    return [batch.kind, *(one.tolist() for one in arrays)]


def test_an_epoch_has_so_many_steps_of_each_kind():
    config = replace(CONFIG, steps=20)
    batches = PretrainBatches(toy_data(), config, toy_vectors())
    kinds = Counter(batch.kind for batch in batches.epoch(0))
    assert len(batches) == 20
    assert kinds == {BatchKind.SEPARATE: 8, BatchKind.CONCATENATED: 8, BatchKind.PLAIN: 4}


def test_without_plain_texts_there_are_more_pairs():
    none = TextChunks(Sequences.pack([]), np.zeros(0, dtype=np.int64))
    batches = PretrainBatches(
        replace(toy_data(), plain=none), replace(CONFIG, steps=20), toy_vectors()
    )
    kinds = Counter(batch.kind for batch in batches.epoch(0))
    assert kinds == {BatchKind.SEPARATE: 12, BatchKind.CONCATENATED: 8}


def test_an_epoch_entered_late_is_the_same():
    batches = PretrainBatches(toy_data(), CONFIG, toy_vectors())
    whole = [described(batch) for batch in batches.epoch(3)]
    assert [described(batch) for batch in batches.epoch(3, 1, 2)] == whole[1::2]
    assert [described(batch) for batch in batches.epoch(4)] != whole


def test_wanted_tokens_are_candidates():
    for batch in PretrainBatches(toy_data(), CONFIG, toy_vectors()).epoch(0):
        assert np.isin(batch.masked.targets, batch.candidates).all()
        assert (np.diff(batch.candidates) > 0).all()
        assert (batch.log_probabilities <= 0).all()


def together(**changed):
    config = replace(CONFIG, steps=40, objective=ObjectiveConfig(plain=0, translation=1, **changed))
    return list(PretrainBatches(toy_data(), config, toy_vectors()).epoch(0))


def sides(line, lines):
    """The tokens of both texts of a line, without special ones."""
    tokens, types = lines.tokens[line][lines.real[line] == 1], lines.types[line]
    types = types[lines.real[line] == 1]
    return tuple(tokens[types == 0][1:-1].tolist()), tuple(tokens[types == 1][:-1].tolist())


def test_half_of_the_pairs_side_by_side_are_translations_in_either_order():
    pairs = toy_data().training
    texts = [
        [
            tuple(side.words[a:b].tolist())
            for a, b in zip(side.starts, side.starts[1:], strict=False)
        ]
        for side in (pairs.firsts, pairs.seconds)
    ]
    known = set(zip(*texts, strict=True)) | set(zip(*texts[::-1], strict=True))
    rights, turned = [], []
    for batch in together(masked=1e-9, spans=0):
        lines = [sides(line, batch.masked.inputs) for line in range(len(batch.rows))]
        # one token of a batch is hidden at least
        assert (
            sum(
                (one in known) != right
                for one, right in zip(lines, batch.translations, strict=True)
            )
            <= 1
        )
        rights += batch.translations.tolist()
        turned += [one[0] in texts[1] for one in lines]
    assert 0.4 < np.mean(rights) < 0.6
    assert 0.2 < np.mean(turned) < 0.8


def test_hidden_tokens_are_asked_for_where_texts_belong_together():
    for batch in together():
        lines = batch.masked.indices // batch.masked.inputs.tokens.shape[1]
        assert batch.translations[lines].all()
        assert not batch.translations.all()


def test_without_comparing_all_pairs_side_by_side_are_translations():
    assert all(batch.translations.all() for batch in together(comparing=0))


def test_some_first_texts_are_parts():
    whole, cut = (
        [sides(line, batch.masked.inputs)[0] for batch in together(spans=part) for line in range(8)]
        for part in (0.0, 1.0)
    )
    assert np.mean([len(one) for one in cut]) < np.mean([len(one) for one in whole])


def test_sides_apart_are_lines_one_after_the_other():
    pairs = toy_data().training
    rows = np.array([4, 2, 9])
    lines = pad_sides(pairs.firsts, pairs.seconds, rows)
    for place, row in enumerate(rows):
        for side, line in ((pairs.firsts, place), (pairs.seconds, place + 3)):
            words = side.words[side.starts[row] : side.starts[row + 1]]
            assert lines.tokens[line][lines.real[line] == 1].tolist() == [2, *words, 3]


def test_groups_take_part_by_their_smoothed_sizes():
    pairs = toy_data().training
    sizes = np.bincount(pairs.groups)
    rows = sample_pairs(pairs, 20_000, 0.5, np.random.default_rng(0))
    expected = np.sqrt(sizes) / np.sqrt(sizes).sum()
    assert np.bincount(pairs.groups[rows]) / len(rows) == pytest.approx(expected, abs=0.02)
    assert len(np.unique(rows)) == len(pairs)


def test_chances_are_how_often_a_token_is_met():
    shares, others = np.array([0.7, 0.25, 0.05]), np.array([0.2, 0.3, 0.5])
    rng = np.random.default_rng(0)
    met = [
        np.isin(range(3), [*rng.choice(3, 2, p=shares), *rng.choice(3, 1, p=others)])
        for _ in range(4_000)
    ]
    found = candidate_probabilities(shares, 2, others, 1)
    assert found == pytest.approx(np.mean(met, axis=0), abs=0.03)


def test_shares_sum_to_one_and_are_flattened_by_a_power():
    counts = np.array([0, 3, 99])
    assert token_frequencies(counts) == pytest.approx(np.array([1, 4, 100]) / 105)
    assert token_frequencies(counts, 0.5) == pytest.approx(np.array([1, 2, 10]) / 13)


def test_nothing_but_wanted_tokens_where_none_are_drawn():
    config = replace(CONFIG, objective=ObjectiveConfig(drawn=0))
    batch = next(PretrainBatches(toy_data(), config, toy_vectors()).epoch(0))
    assert batch.candidates.tolist() == sorted(set(batch.masked.targets.tolist()))
