"""The spread over learning rates, by hand, and what is claimed of it."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.experiments.claims import Verdict
from dragoman.experiments.smooth.claims import SPREAD, stability_claims
from dragoman.experiments.smooth.plan import TINY, stability
from dragoman.experiments.smooth.stability_runs import FirstVectors, StabilityResult
from dragoman.experiments.smooth.stability_tables import (
    gradients_markdown,
    spread_caption,
    spread_markdown,
    stability_rows,
    write_stability,
)

SCALE = replace(
    TINY, stability=replace(TINY.stability, epsilons=(0.0, 1.0), rates=(0.01, 0.1), seeds=(0, 1))
)
QUERIES = 60


def result_of(level, rng):
    values = level + 0.01 * rng.standard_normal(QUERIES)
    return StabilityResult(np.array([1.0, 2.0, 9.0]), False, 100, 0.1, 0.12, values)


@pytest.fixture
def results():
    """The plain cosine loses .3 at the higher learning rate, or .1 with clipping; others .02."""
    rng = np.random.default_rng(0)
    lost = {(0.0, 0.0): 0.3, (0.0, 5.0): 0.1}
    found = {}
    for training in stability(SCALE, [FirstVectors.DRAWN]):
        train, epsilon = training.config.train, training.config.model.epsilon
        loss = lost.get((epsilon, train.max_gradient_norm), 0.02)
        level = 0.8 - loss * (train.learning_rate == 0.1) - 0.05 * train.seed
        found[training] = result_of(level, rng)
    return found


def test_the_spread_is_the_best_mean_minus_the_worst(results):
    rows = {(row.epsilon, row.clip): row for row in stability_rows(results)}
    assert set(rows) == {(0.0, 0.0), (0.0, 5.0), (1.0, 0.0), (1.0, 5.0)}
    row = rows[0.0, 0.0]
    assert row.seeds == [0, 1]
    for seed in row.seeds:
        means = [row.results[rate][seed].values.mean() for rate in (0.01, 0.1)]
        assert row.spread_of(seed).mean() == pytest.approx(max(means) - min(means))
    assert row.spread_values.mean() == pytest.approx(0.3, abs=0.01)
    assert row.mean_values.mean() == pytest.approx(0.8 - 0.025 - 0.15, abs=0.01)


def test_a_seed_without_all_rates_does_not_count(results):
    missing = next(
        training
        for training in results
        if training.config.train.seed == 1 and training.config.model.epsilon == 1.0
    )
    some = {training: one for training, one in results.items() if training != missing}
    rows = {(row.epsilon, row.clip): row for row in stability_rows(some)}
    assert rows[1.0, 0.0].seeds == [0]
    assert rows[1.0, 5.0].seeds == [0, 1]


def test_claims_are_about_the_spread_query_by_query(results):
    claims = {claim.text: claim for claim in stability_claims(stability_rows(results))}
    plain = claims["epsilon 0 spreads more than epsilon 1"]
    assert plain.measure == SPREAD
    assert plain.verdict is Verdict.HOLDS
    assert plain.difference == pytest.approx(0.28, abs=0.01)
    assert plain.interval.low < 0.28 < plain.interval.high + 0.01
    clipped = claims["epsilon 0 clipped to 5 spreads more than epsilon 1 unclipped"]
    assert clipped.difference == pytest.approx(0.08, abs=0.01)
    level = claims["clipped to 5, epsilon 1 is above epsilon 0 (mean over learning rates)"]
    assert level.difference == pytest.approx(0.04, abs=0.01)
    assert claims["epsilon 0 spreads more than epsilon 0 clipped to 5"].extension


def test_tables_have_a_line_for_every_setting_with_ranges_over_seeds(results, tmp_path):
    rows = stability_rows(results)
    assert "100 training pairs, 3 steps" in spread_caption(rows)
    assert "measured (0, 1)" in spread_caption(rows)
    heads, _, *lines = spread_markdown(rows)
    assert heads.count("rate") == 2
    assert len(lines) == 4
    assert lines[0].startswith("| drawn | 0 | off | 0.7")
    assert lines[0].endswith("| 0 of 4 |")
    gradients = gradients_markdown(rows, rate=0.01)
    assert "| drawn | 0 | off | 2.00 |" in gradients[2]
    assert "| 9.00 | 0.100 | 0.120 | 0.0200 | none |" in gradients[2]
    assert "none" not in gradients[4]  # epsilon 1
    write_stability(tmp_path / "stability.csv", results)
    table = (tmp_path / "stability.csv").read_text().splitlines()
    assert len(table) == 1 + len(results)


def test_a_clip_that_never_acts_shares_its_line(results):
    without = {
        (
            one.first,
            one.config.model.epsilon,
            one.config.train.learning_rate,
            one.config.train.seed,
        ): found
        for one, found in results.items()
        if not one.config.train.max_gradient_norm
    }
    idle = {
        one: without[
            one.first,
            one.config.model.epsilon,
            one.config.train.learning_rate,
            one.config.train.seed,
        ]
        if one.config.model.epsilon
        else found
        for one, found in results.items()
    }
    _, _, *lines = spread_markdown(stability_rows(idle))
    settings = [line.split(" | ")[1:3] for line in lines]
    assert settings == [["0", "off"], ["0", "5"], ["1", "off, 5"]]
