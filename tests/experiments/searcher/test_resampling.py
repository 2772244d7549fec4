"""AQWV on samples of queries and documents, against samples that are drawn one by one."""

import numpy as np
import pytest

from dragoman.experiments.searcher.resampling import resampled_values


@pytest.fixture
def decisions():
    rng = np.random.default_rng(1)
    relevant = rng.random((12, 40)) < 0.2
    yes = relevant ^ (rng.random((12, 40)) < 0.1)
    return yes, relevant


def value(yes, relevant, beta):
    """AQWV by its definition."""
    misses, alarms = [], []
    for said, wanted in zip(yes, relevant, strict=True):
        if wanted.any():
            misses.append((wanted & ~said).sum() / wanted.sum())
        alarms.append((said & ~wanted).sum() / max((~wanted).sum(), 1))
    return 1 - np.mean(misses) - beta * np.mean(alarms)


def test_samples_spread_around_the_value(decisions):
    samples = resampled_values(*decisions, beta=2.0, draws=4_000)
    assert samples.mean() == pytest.approx(value(*decisions, 2.0), abs=0.02)


def test_samples_spread_as_those_that_are_drawn_one_by_one(decisions):
    yes, relevant = decisions
    rng = np.random.default_rng(7)
    drawn = []
    for _ in range(2_000):
        rows = rng.integers(0, len(yes), len(yes))
        columns = rng.integers(0, yes.shape[1], yes.shape[1])
        drawn.append(value(yes[np.ix_(rows, columns)], relevant[np.ix_(rows, columns)], 2.0))
    samples = resampled_values(yes, relevant, beta=2.0, draws=4_000)
    for share in (2.5, 50, 97.5):
        assert np.percentile(samples, share) == pytest.approx(np.percentile(drawn, share), abs=0.03)


def test_documents_add_to_the_spread_of_queries(decisions):
    yes, relevant = decisions
    rng = np.random.default_rng(7)
    queries_alone = [
        value(yes[rows], relevant[rows], 2.0)
        for rows in rng.integers(0, len(yes), (2_000, len(yes)))
    ]
    assert resampled_values(yes, relevant, beta=2.0).std() > np.std(queries_alone)


def test_the_same_draws_for_every_row_make_differences_paired(decisions):
    yes, relevant = decisions
    first, second = (resampled_values(yes, relevant, 40.0) for _ in range(2))
    assert (first == second).all()
    perfect = resampled_values(relevant, relevant, 40.0)
    assert perfect == pytest.approx(1.0)
