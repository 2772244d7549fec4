import math

import pytest

from dragoman.types import Document
from lexical_examples import built, ids, scores


def test_the_score_is_the_formula_written_out(kernels):
    documents = [
        Document("a", "cats chase mice", language="en"),
        Document("b", "dogs chase cats cats", language="en"),
        Document("c", "mice", language="en"),
    ]
    bm25 = built("bm25", documents, translate=False)
    mean = (3 + 4 + 1) / 3
    idf = math.log(1 + (3 - 2 + 0.5) / (2 + 0.5))
    expected = {
        doc_id: pytest.approx(idf * tf / (tf + 1.2 * (0.25 + 0.75 * length / mean)), rel=1e-6)
        for doc_id, tf, length in (("a", 1, 3), ("b", 2, 4))
    }
    assert scores(bm25, "cats", "en") == expected


def test_untranslated_words_meet_only_themselves(lexicons):
    translated, plain = built("bm25", lexicons=lexicons), built("bm25", translate=False)
    assert ids(translated, "Haus", "de", languages=["en"]) == ["en-house"]
    assert ids(plain, "Haus", "de", languages=["en"]) == []


def test_a_word_asked_twice_counts_twice():
    documents = [Document("a", "cats", language="en"), Document("b", "mice", language="en")]
    bm25 = built("bm25", documents, translate=False)
    once, twice = (scores(bm25, text, "en")["a"] for text in ("cats", "cats cats"))
    assert twice == pytest.approx(2 * once, rel=1e-6)


def test_the_parameters_are_those_of_the_settings():
    bm25 = built("bm25", translate=False, k1=0.0, b=0.0)
    assert bm25.system.settings["k1"] == bm25.system.settings["b"] == 0.0
    expected = {"en-house": pytest.approx(math.log(1 + 2.5 / 1.5), rel=1e-6)}
    assert scores(bm25, "house", "en") == expected
