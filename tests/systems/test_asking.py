import pytest
from lexical_examples import built

from dragoman.systems.lexical.asking import CACHED_WORDS, RESEMBLANCE, Asking
from dragoman.types import Text


@pytest.fixture
def psq(lexicons):
    return built("psq", lexicons=lexicons)


def test_a_word_of_the_documents_language_asks_for_itself(psq):
    space = psq.fixed.own("en")
    asked = psq._asking("en", "en")["hous"]
    assert asked == ((space.find("hous"), 1.0, space.idf_at(space.find("hous"))),)


def test_a_translated_word_asks_for_its_meanings_and_not_for_what_sounds_like_it(psq):
    pivot = psq.fixed.pivot("de")
    dimensions = [dimension for dimension, _, _ in psq._asking("ru", "de")["дом"]]
    assert dimensions == [pivot.find("hous"), pivot.find("home")]


def test_an_unknown_word_asks_for_what_sounds_like_it_too(psq):
    own = psq.fixed.own("ru")
    asked = {dimension: p for dimension, p, _ in psq._asking("en", "ru")["obama"]}
    assert asked[own.find("обам")] == pytest.approx(RESEMBLANCE * 8 / 9)


def test_words_ask_nothing_of_a_language_without_documents(psq):
    assert psq._asking("en", "fr")["hous"] == ()


def test_the_vector_is_the_sum_of_the_terms(psq):
    text = Text("red house red Obama", "en")
    words = psq.words(text)
    terms = [term for code in psq.fixed.languages for term in psq.query_terms(words, "en", code)]
    asked = psq.query_vector(text)
    for dimension, weight in zip(asked.dimensions, asked.weights, strict=True):
        parts = [term.weight for term in terms if term.dimension == dimension]
        assert weight == pytest.approx(sum(parts), rel=1e-6)
    assert set(asked.dimensions) == {term.dimension for term in terms}


def test_what_was_asked_is_remembered_and_bounded(psq):
    asking = psq._asking("en", "de")
    assert isinstance(asking, Asking)
    assert asking is psq._asking("en", "de")
    first = asking["hous"]
    asking.update({f"word{n}": () for n in range(CACHED_WORDS)})
    assert asking["new"] == ()
    assert len(asking) == 1
    assert asking["hous"] == first
