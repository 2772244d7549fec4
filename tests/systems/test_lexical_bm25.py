import math

import pytest
from lexical_examples import built, ids

from dragoman.types import Document, Query


def test_the_score_is_the_formula_written_out():
    documents = [
        Document("a", "cats chase mice", language="en"),
        Document("b", "dogs chase cats cats", language="en"),
        Document("c", "mice", language="en"),
    ]
    bm25 = built("bm25", documents, translate=False)
    found = {hit.doc_id: hit.score for hit in bm25.search(Query("q", "cats", "en"), 5).hits}
    mean = (3 + 4 + 1) / 3
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    for doc_id, tf, length in (("a", 1, 3), ("b", 2, 4)):
        expected = idf * tf / (tf + 1.2 * (1 - 0.75 + 0.75 * length / mean))
        assert found[doc_id] == pytest.approx(expected, rel=1e-6)
    assert "c" not in found


def test_untranslated_words_meet_only_themselves(lexicons):
    told, untold = built("bm25", lexicons=lexicons), built("bm25", translate=False)
    assert ids(told, "Haus", "de", languages=["en"]) == ["en-house"]
    assert ids(untold, "Haus", "de", languages=["en"]) == []


def test_a_word_asked_twice_counts_twice():
    documents = [Document("a", "cats", language="en"), Document("b", "mice", language="en")]
    bm25 = built("bm25", documents, translate=False)
    once, twice = (bm25.search(Query("q", text, "en"), 1).hits[0] for text in ("cats", "cats cats"))
    assert twice.score == pytest.approx(2 * once.score, rel=1e-6)


def test_the_parameters_are_those_of_the_settings():
    bm25 = built("bm25", translate=False, k1=0.0, b=0.0)
    assert bm25.settings["k1"] == bm25.settings["b"] == 0.0
    scores = [hit.score for hit in bm25.search(Query("q", "house", "en"), 1).hits]
    assert scores == [pytest.approx(math.log(1 + 2.5 / 1.5), rel=1e-6)]
