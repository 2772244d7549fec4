"""tf and idf: distances against scikit-learn's, hand-worked ones, and what has no score."""

import math

import numpy as np
import pytest
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics.pairwise import euclidean_distances

from dragoman.types import Document, Query
from lexical_examples import built, ids, scores

TEXTS = {"one": "alpha alpha beta", "two": "beta gamma", "three": "alpha gamma gamma delta"}
DOCUMENTS = [Document(doc_id, text, language="en") for doc_id, text in TEXTS.items()]
QUERY = "alpha beta beta"


@pytest.mark.parametrize("name", ["tf", "idf"])
def test_the_score_is_the_negated_euclidean_distance(name):
    counts = CountVectorizer(analyzer=str.split).fit_transform([QUERY, *TEXTS.values()]).toarray()
    df = (counts[1:] > 0).sum(axis=0)
    weighed = counts * np.log1p((3 - df + 0.5) / (df + 0.5)) if name == "idf" else counts
    rows = weighed / weighed.sum(axis=1, keepdims=True)
    distances = euclidean_distances(rows[:1], rows[1:])[0]
    expected = dict(zip(TEXTS, -distances, strict=True))
    searched = built(name, DOCUMENTS, translate=False)
    assert scores(searched, QUERY, "en") == pytest.approx(expected, abs=1e-6)
    assert searched.score(Query("q", QUERY, "en"), DOCUMENTS) == pytest.approx(-distances)


def test_a_copy_is_at_distance_0():
    tf = built("tf", DOCUMENTS, translate=False)
    assert ids(tf, TEXTS["two"], "en", k=1) == ["two"]
    assert scores(tf, TEXTS["two"], "en")["two"] == pytest.approx(0, abs=1e-6)


def test_words_that_no_document_has_push_all_of_them_away_alike():
    tf = built("tf", DOCUMENTS, translate=False)
    expected = -math.dist([0.5, 0], [2 / 3, 1 / 3])  # alpha and beta; half the query is unknown
    assert scores(tf, "alpha unseen", "en")["one"] == pytest.approx(expected)


@pytest.mark.parametrize("name", ["tf", "idf"])
def test_each_language_is_at_its_own_distance_from_the_query(name, lexicons):
    searched = built(name, lexicons=lexicons)
    everywhere = scores(searched, "red house unseen", "en")
    for language in ("en", "de", "ru"):
        alone = scores(searched, "red house unseen", "en", [language])
        assert alone == {one: everywhere[one] for one in everywhere if one.startswith(language)}


def test_what_has_no_word_on_either_side_has_no_score(lexicons):
    documents = [
        *DOCUMENTS,
        Document("empty", "—", language="en"),
        Document("de", "Haus", "", "de"),
    ]
    tf = built("tf", documents, lexicons=lexicons)
    assert set(scores(tf, "alpha", "en")) == {*TEXTS}
    found = tf.score(Query("q", "alpha", "en"), documents)
    assert np.isnan(found).tolist() == [False] * 3 + [True] * 2
    assert tf.explain(Query("q", "alpha", "en"), documents[-1]).score == 0.0
