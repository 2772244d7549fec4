import numpy as np
import pytest

from dragoman.encoders.compression import feature_usage, most_useful_features, principal_directions
from dragoman.encoders.distillation import DistillationConfig, distil, extract_features
from dragoman.encoders.subwords import SubwordConfig, SubwordVocabulary

WORDS = ["maji", "moto", "mtu", "nyumba", "kitabu", "barua", "safari"]


@pytest.fixture
def lesson():
    rng = np.random.default_rng(3)
    texts = [list(rng.choice(WORDS, size=rng.integers(1, 6), replace=False)) for _ in range(60)]
    vocabulary = SubwordVocabulary.learn(texts, SubwordConfig(rows=200, min_words=1))
    return extract_features(texts, vocabulary), rng.normal(size=(60, 24)).astype(np.float32)


def test_usage_is_the_sum_of_squares_where_words_of_a_text_share_nothing():
    texts = [["maji"], ["maji"], ["mtu", "barua"]]
    vocabulary = SubwordVocabulary.learn(texts, SubwordConfig(rows=200, min_words=1))
    found = extract_features(texts, vocabulary)
    whole = (found.texts @ found.words).toarray()
    assert feature_usage(found) == pytest.approx((whole**2).sum(axis=0), rel=1e-5)


def test_the_rows_kept_lose_less_of_the_fit_than_the_rows_left_out(lesson):
    found, targets = lesson
    table = distil(found, targets, DistillationConfig())
    kept = most_useful_features(found, table, len(table) // 2)
    assert np.array_equal(kept, np.unique(kept))
    left_out = np.setdiff1d(np.arange(len(table)), kept)

    def error_without(rows):
        fewer = table.copy()
        fewer[rows] = 0
        return float(np.square(found.texts @ (found.words @ fewer) - targets).sum())

    assert error_without(left_out) < error_without(kept[: len(left_out)])


def test_a_row_that_no_text_uses_is_the_first_to_go(lesson):
    found, targets = lesson
    table = distil(found, targets, DistillationConfig())
    table[5] = 0
    assert 5 not in most_useful_features(found, table, len(table) - 1)


def test_directions_hold_all_of_rows_that_lie_in_a_subspace(lesson):
    found, _ = lesson
    rng = np.random.default_rng(1)
    plane = np.linalg.qr(rng.normal(size=(24, 3)))[0].T
    rows = rng.normal(size=(found.words.shape[1], 3)) @ plane
    basis = principal_directions(found, rows, 3, rng)
    assert basis @ basis.T == pytest.approx(np.eye(3), abs=1e-5)
    assert rows @ basis.T @ basis == pytest.approx(rows, abs=1e-5)


def test_as_many_directions_as_the_space_has_lose_nothing(lesson):
    found, targets = lesson
    table = distil(found, targets, DistillationConfig())
    basis = principal_directions(found, table, 24, np.random.default_rng(0))
    assert table @ basis.T @ basis == pytest.approx(table, abs=1e-4)


def test_directions_are_turned_until_no_column_has_most_of_the_spread(lesson):
    found, _ = lesson
    rng = np.random.default_rng(2)
    falling = np.geomspace(1, 0.001, 24)
    rows = rng.normal(size=(found.words.shape[1], 24)) * falling
    spreads = (rows @ principal_directions(found, rows, 24, rng).T).std(axis=0)
    assert spreads.max() < 20 * spreads.min()
