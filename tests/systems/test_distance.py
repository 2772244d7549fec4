import math

import numpy as np
import pytest
from lexical_examples import built

from dragoman.types import Document, Query

TEXTS = {"one": "alpha alpha beta", "two": "beta gamma", "three": "alpha gamma gamma delta"}
DOCUMENTS = [Document(doc_id, text, language="en") for doc_id, text in TEXTS.items()]
WORDS = ["alpha", "beta", "gamma", "delta"]


def frequencies(text, weights):
    counts = np.array([text.split().count(word) for word in WORDS]) * weights
    return counts / counts.sum()


@pytest.mark.parametrize("name", ["tf", "idf"])
def test_the_score_is_the_negated_euclidean_distance(name):
    df = np.array([sum(word in text for text in TEXTS.values()) for word in WORDS])
    idf = np.log1p((3 - df + 0.5) / (df + 0.5))
    weights = idf if name == "idf" else np.ones(4)
    query = "alpha beta beta"
    found = built(name, DOCUMENTS, translate=False).search(Query("q", query, "en"), 10)
    assert len(found.hits) == 3
    for hit in found.hits:
        asked, document = frequencies(query, weights), frequencies(TEXTS[hit.doc_id], weights)
        assert hit.score == pytest.approx(-np.linalg.norm(asked - document), abs=1e-5)


def test_a_copy_is_at_distance_0():
    found = built("tf", DOCUMENTS, translate=False).search(Query("q", TEXTS["two"], "en"), 1)
    assert (found.hits[0].doc_id, found.hits[0].score) == ("two", pytest.approx(0, abs=1e-3))


def test_words_that_no_document_has_push_all_of_them_away_alike():
    tf = built("tf", DOCUMENTS, translate=False)
    found = tf.search(Query("q", "alpha unseen", "en"), 1).hits[0]
    document = frequencies(TEXTS[found.doc_id], np.ones(4))
    asked = np.array([0.5, 0, 0, 0])
    assert found.score == pytest.approx(-math.dist(asked, document), abs=1e-5)
