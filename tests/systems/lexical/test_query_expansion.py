"""What a query's words ask of documents in a language: meanings, names that are still there."""

import numpy as np
import pytest

import dragoman
from dragoman.ranking.balance import Balance
from dragoman.systems.lexical.dimensions import Side, dimension
from dragoman.systems.lexical.query_expansion import CACHED_WORDS, RESEMBLANCE, Expansion
from dragoman.types import Document, Query
from lexical_examples import DOCUMENTS, built


@pytest.fixture
def psq(lexicons):
    return built("psq", lexicons=lexicons)


def expanded(searched, words, language, languages):
    """Dimension -> probability of the terms of a query's words that any document has."""
    with searched.index.snapshot() as snapshot:
        postings = searched.system.postings(snapshot)
        terms = searched.system.expand(postings, words, language, languages)
    met = terms.weights > 0
    return dict(zip(terms.dimensions[met].tolist(), terms.probabilities[met].tolist(), strict=True))


def own(language, word):
    return dimension(language, Side.OWN, word)


def test_a_word_of_the_documents_language_asks_for_itself(psq):
    assert expanded(psq, ["hous", "unseen"], "en", ["en"]) == {own("en", "hous"): 1.0}


def test_a_translated_word_asks_for_its_meanings_and_not_for_what_sounds_like_it(psq):
    house, home = (dimension("de", Side.PIVOT, word) for word in ("hous", "home"))
    assert expanded(psq, ["дом"], "ru", ["de"]) == {house: 0.5, home: 0.5}


def test_meanings_are_the_own_words_of_documents_in_the_pivot(psq):
    assert expanded(psq, ["haus"], "de", ["en"]) == {
        own("en", "hous"): 0.75
    }  # no document has home


def test_an_unknown_word_asks_for_what_sounds_like_it_too(psq):
    alike = {own("ru", "обам"): pytest.approx(RESEMBLANCE * 8 / 9)}
    assert expanded(psq, ["obama"], "en", ["ru"]) == alike


@pytest.mark.parametrize("words", [[], ["unseen"]])
def test_words_that_no_document_has_ask_for_nothing(psq, words):
    assert expanded(psq, words, "en", ["en", "de", "ru"]) == {}


def test_words_ask_nothing_of_a_language_without_documents(psq):
    assert expanded(psq, ["hous"], "en", ["fr"]) == {}


def test_all_languages_together_ask_for_what_each_asks_for(psq):
    words = ["red", "hous", "obama", "red"]
    together = expanded(psq, words, "en", ["en", "de", "ru"])
    alone = [expanded(psq, words, "en", [code]) for code in ("en", "de", "ru")]
    assert together == alone[0] | alone[1] | alone[2]


def test_a_word_that_comes_twice_weighs_twice(psq):
    with psq.index.snapshot() as snapshot:
        postings = psq.system.postings(snapshot)
        once = psq.system.expand(postings, ["red", "obama"], "en", ["en", "ru"])
        twice = psq.system.expand(postings, ["red", "obama"] * 2, "en", ["en", "ru"])
    for mine, other in zip(once.by_dimension(), twice.by_dimension(), strict=True):
        factor = 1 if mine.dtype.kind == "i" else 2
        assert np.allclose(factor * mine, other)


def test_what_a_word_stands_for_is_remembered_and_bounded(psq):
    expansion = psq.system._expansion("en", "de")
    assert isinstance(expansion, Expansion)
    assert expansion is psq.system._expansion("en", "de")
    first = expansion["hous"]
    expansion.update({f"word{n}": first for n in range(CACHED_WORDS)})
    assert expansion["new"].dimensions == (dimension("de", Side.PIVOT, "new"),)
    assert len(expansion) == 1
    assert expansion["hous"] == first


@pytest.mark.parametrize("merged", [False, True])
def test_names_of_deleted_words_no_longer_expand_a_query(lexicons, tmp_path, merged, kernels):
    several = ["обама", "абама", "обамма", "обемо"]  # more than are asked for at a time
    documents = [*DOCUMENTS, *(Document(name, name, language="ru") for name in several)]
    with dragoman.index(
        documents, tmp_path / "i", system="psq", settings={"lexicons": lexicons}
    ) as index:
        scope = index.scope(["ru"], balance=Balance.OFF)

        def found():
            return {hit.doc_id for hit in index.rank(Query("q", "obama", "en"), 10, scope).hits}

        assert found() == {"ru-obama", "обама", "абама", "обамма"}
        index.delete(["обама", "абама", "ru-obama"])
        if merged:
            index.optimize()
        assert found() == {"обамма", "обемо"}
        index.add([Document("абама", "абама", language="ru")])
        assert found() == {"абама", "обамма", "обемо"}
