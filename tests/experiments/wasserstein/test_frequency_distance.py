"""The rows tf and idf against distances that are computed here with plain arrays."""

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer

from dragoman.experiments.wasserstein.frequency_distance import (
    FrequencySpace,
    ranks_by_frequency,
)
from dragoman.systems.bags.weighting import Weighting
from dragoman.types import Document, Query

TEXTS = ["water bread bread house", "house river table", "water water river garden bread"]
DOCUMENTS = [Document(f"d{n}", text, language="en") for n, text in enumerate(TEXTS)]


@pytest.mark.parametrize("weighting", [Weighting.TF, Weighting.IDF, Weighting.BARE_IDF])
def test_distances_are_those_between_frequencies_that_sum_to_one(weighting):
    vectorizer = CountVectorizer()
    counts = vectorizer.fit_transform(TEXTS).toarray().astype(float)
    frequencies = (counts > 0).sum(axis=0)
    idf = np.log((6 + 1) / (frequencies + 1))
    weights = {
        Weighting.TF: np.ones(len(frequencies)),
        Weighting.IDF: idf + 1,
        Weighting.BARE_IDF: idf,
    }[weighting]
    # a word that no document has, winter, is outside the space
    asked = vectorizer.transform(["bread river river winter"]).toarray()[0]
    rows = counts * weights
    rows /= rows.sum(axis=1, keepdims=True)
    query = asked * weights
    query /= query.sum()
    expected = np.linalg.norm(rows - query, axis=1)
    space = FrequencySpace(DOCUMENTS, weighting, 6)
    found = space.distances(Query("q", "bread river river winter", "en"))
    np.testing.assert_allclose(found, expected)


def test_words_that_no_document_has_change_nothing():
    space = FrequencySpace(DOCUMENTS, Weighting.IDF, 3)
    with_others = space.distances(Query("q", "bread river winter summer", "en"))
    np.testing.assert_array_equal(with_others, space.distances(Query("q", "bread river", "en")))


def test_a_query_without_a_known_word_has_no_rank():
    queries = [Query("a", TEXTS[1], "en"), Query("b", "winter", "en")]
    ranks = ranks_by_frequency(queries, DOCUMENTS, ["d1", "d1"], Weighting.TF, 3)
    np.testing.assert_array_equal(ranks, [1.0, np.inf])


def test_nothing_is_stemmed():
    space = FrequencySpace([Document("d", "houses", language="en")], Weighting.TF, 1)
    assert np.isinf(space.distances(Query("q", "house", "en"))).all()


def test_equal_distances_rank_by_id():
    twins = [Document("b", "water", language="en"), Document("a", "water", language="en")]
    queries = [Query("q", "water", "en")] * 2
    ranks = ranks_by_frequency(queries, twins, ["a", "b"], Weighting.TF, 2)
    np.testing.assert_array_equal(ranks, [1.0, 2.0])
