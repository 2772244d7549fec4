import numpy as np
import pytest
from sklearn.linear_model import Ridge

from dragoman.encoders.distillation import DistillationConfig, distil, extract_features
from dragoman.encoders.subwords import SubwordConfig, SubwordVocabulary
from dragoman.errors import ConfigError


@pytest.fixture
def lesson():
    rng = np.random.default_rng(3)
    words = ["maji", "moto", "mtu", "nyumba", "kitabu", "barua", "safari"]
    texts = [list(rng.choice(words, size=rng.integers(1, 6))) for _ in range(60)]
    vocabulary = SubwordVocabulary.learn(texts, SubwordConfig(rows=40, min_words=1))
    return extract_features(texts, vocabulary), rng.normal(size=(60, 96)).astype(np.float32)


def test_the_table_is_the_ridge_solution_of_an_independent_solver(lesson):
    found, targets = lesson
    table = distil(found, targets, DistillationConfig(penalty=0.1, rounds=100))
    reference = Ridge(alpha=0.1, fit_intercept=False)
    reference.fit((found.texts @ found.words).toarray(), targets)
    assert table == pytest.approx(reference.coef_.T, abs=1e-3)


def test_texts_are_rows_of_length_one(lesson):
    found, _ = lesson
    lengths = np.sqrt(found.texts.multiply(found.texts).sum(axis=1))
    repeated = lengths > 1 + 1e-5  # a word that comes twice adds to itself
    assert lengths[~repeated] == pytest.approx(1, abs=1e-5)
    words = np.sqrt(found.words.multiply(found.words).sum(axis=1))
    assert words == pytest.approx(1, abs=1e-5)


def test_every_block_of_columns_is_told_and_gives_the_same_bits_again(lesson):
    found, targets = lesson
    told = []
    first = distil(found, targets, DistillationConfig(), lambda steps=1: told.append(steps))
    assert told == [1, 1]
    assert np.array_equal(first, distil(found, targets, DistillationConfig()))


@pytest.mark.parametrize("wrong", [{"penalty": 0}, {"rounds": 0}])
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(ConfigError, match="above 0"):
        DistillationConfig(**wrong)
