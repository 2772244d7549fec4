import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from dragoman.errors import ConfigError
from dragoman.scores.bm25 import (
    Bm25Config,
    inverse_document_frequency,
    length_norm,
    most_raised,
    saturate,
)


def test_the_factors_multiply_to_the_formula_written_out_by_hand():
    # tf 2 in a document of 6 words, mean length 4, 3 of 10 documents have the word
    norm = length_norm(np.array([6.0]), 4.0, Bm25Config(k1=1.2, b=0.75))
    assert norm[0] == pytest.approx(1.2 * (0.25 + 0.75 * 6 / 4))  # 1.65
    assert saturate(np.array([2.0]), norm)[0] == pytest.approx(2 / (2 + 1.65))
    assert inverse_document_frequency(np.array([3.0]), 10)[0] == pytest.approx(
        np.log(1 + (10 - 3 + 0.5) / (3 + 0.5))
    )


def test_ranks_a_corpus_as_the_sum_over_terms_does():
    texts = ["a b b c", "b c d", "a a a", "d e f g h"]
    counts = CountVectorizer(analyzer=str.split).fit_transform(texts).toarray().astype(float)
    config = Bm25Config()
    lengths = counts.sum(axis=1)
    idf = inverse_document_frequency((counts > 0).sum(axis=0).astype(float), len(texts))
    weights = saturate(counts, length_norm(lengths, lengths.mean(), config)[:, None]) * idf
    for d, row in enumerate(counts):
        for t, tf in enumerate(row):
            df = (counts[:, t] > 0).sum()
            idf_by_hand = np.log(1 + (4 - df + 0.5) / (df + 0.5))
            norm = 1.2 * (1 - 0.75 + 0.75 * lengths[d] / lengths.mean())
            assert weights[d, t] == pytest.approx(idf_by_hand * tf / (tf + norm))


@given(st.floats(0, 1000), st.floats(0.01, 100))
@settings(max_examples=50)
def test_a_saturated_count_lies_between_0_and_1_and_rises(count, norm):
    low, high = saturate(np.array([count, count + 1]), np.array([norm, norm]))
    assert 0 <= low < high < 1


def test_a_word_in_every_document_still_counts_a_little():
    assert inverse_document_frequency(np.array([10.0]), 10)[0] > 0


@pytest.mark.parametrize(("given", "named"), [({"k1": -1.0}, "k1"), ({"b": 1.5}, "b must")])
def test_settings_out_of_range_are_refused(given, named):
    with pytest.raises(ConfigError, match=named):
        Bm25Config(**given)


def test_without_any_length_every_document_is_of_mean_length():
    assert length_norm(np.zeros(2), 0.0, Bm25Config(k1=2.0)).tolist() == [2.0, 2.0]


@given(
    st.floats(0.01, 50),
    st.floats(0, 10_000),
    st.tuples(st.floats(0.1, 3), st.floats(0, 1), st.floats(1, 1000)),
    st.tuples(st.floats(0.1, 3), st.floats(0, 1), st.floats(1, 1000)),
)
def test_no_count_rises_more_than_the_bound_says(count, length, then, now):
    values, bounds = [], []
    for k1, b, mean in (then, now):
        config = Bm25Config(k1=k1, b=b)
        norm = length_norm(np.array([length]), mean, config)
        values.append(float(saturate(np.array([count]), norm)[0]))
        bounds.append((config, mean))
    assert values[1] <= values[0] * most_raised(*bounds) * (1 + 1e-9)


def test_the_bound_is_the_ratio_of_mean_lengths_where_they_have_risen():
    config = Bm25Config()
    assert most_raised((config, 100.0), (config, 150.0)) == pytest.approx(1.5)
    assert most_raised((config, 150.0), (config, 100.0)) == 1.0
