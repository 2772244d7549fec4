from itertools import product

import numpy as np
import pytest

from corpora import packed
from dragoman.lexicons.alignment import hmm
from dragoman.lexicons.alignment.aligner import AlignmentConfig, align
from dragoman.lexicons.alignment.samples import SHOWN, samples, viterbi


def path_probability(path, idle, emissions, null, jumps):
    states = emissions.shape[1]
    moves, probability, at = hmm.transitions(states, jumps), 1.0, -1
    for j, (place, is_null) in enumerate(zip(path, idle, strict=True)):
        if is_null:
            stays = 1 / states if at == -1 else float(place == at)
            probability *= hmm.NULL * stays * null[j]
        else:
            probability *= (1 - hmm.NULL) * moves[at + 1, place] * emissions[j, place]
        at = place
    return probability


@pytest.mark.parametrize("seed", range(8))
def test_viterbi_finds_the_best_of_all_paths(seed):
    rng = np.random.default_rng(seed)
    emissions, null = rng.random((4, 3)), rng.random(4) * 3
    jumps = rng.random(2 * hmm.WIDEST + 1)
    best = max(
        (
            (path_probability(path, idle, emissions, null, jumps), path, idle)
            for path in product(range(3), repeat=4)
            for idle in product([False, True], repeat=4)
        ),
        key=lambda scored: scored[0],
    )
    expected = [-1 if is_null else place for place, is_null in zip(*best[1:], strict=True)]
    assert viterbi(emissions, null, jumps).tolist() == expected


def test_samples_show_readable_sentences_with_links_inside(tmp_path):
    pairs = [([*"abcd"[: 3 + n % 2]], [*"wxyz"[: 3 + n % 2]]) for n in range(40)]
    bitext = packed([*pairs, (["a"] * 50, ["w"] * 50)], tmp_path)
    model = align(bitext, tmp_path, AlignmentConfig()).model
    shown = samples(bitext, model)
    assert len(shown) == SHOWN
    for sample in shown:
        assert 3 <= len(sample.source) <= 10
        assert all(i < len(sample.source) and j < len(sample.target) for i, j in sample.links)


def test_short_text_is_shown_whole(tmp_path):
    bitext = packed([(["a"], ["w"])], tmp_path)
    model = align(bitext, tmp_path, AlignmentConfig()).model
    assert [sample.links for sample in samples(bitext, model)] == [((0, 0),)]
