import math

import numpy as np
import pytest
from lexical_examples import DOCUMENTS, built, ids

from dragoman.registry import system
from dragoman.systems.lexical.asking import SPREAD
from dragoman.types import Document, Query


def idf(frequency, documents):
    return math.log(1 + (documents - frequency + 0.5) / (frequency + 0.5))


def score(searched, text, language, doc_id, languages=None):
    ranking = searched.search(Query("q", text, language), 10, languages)
    return {hit.doc_id: hit.score for hit in ranking.hits}.get(doc_id)


def test_a_hand_worked_example_from_the_pivot(lexicons):
    # Two German documents of 3 and 1 words. haus -> house .75, home .25; heim -> home 1.
    documents = [
        Document("one", "Haus Haus Heim", language="de"),
        Document("two", "Wasser", language="de"),
    ]
    psq = built("psq", documents, lexicons=lexicons)
    norm = 1.2 * (0.25 + 0.75 * 3 / 2)
    house, home = 2 * 0.75, 2 * 0.25 + 1
    expected = idf(1, 2) * house / (house + norm)
    assert score(psq, "house", "en", "one") == pytest.approx(expected, rel=1e-6)
    expected += idf(1, 2) * home / (home + norm)
    assert score(psq, "house home", "en", "one") == pytest.approx(expected, rel=1e-6)


def test_a_hand_worked_example_into_the_pivot(lexicons):
    documents = [
        Document("one", "house", language="en"),
        Document("two", "home home", language="en"),
        Document("three", "water", language="en"),
    ]
    psq = built("psq", documents, lexicons=lexicons)
    mean = 4 / 3
    together = idf(2, 3)  # house and home are in two documents of three
    one = together * 0.75**SPREAD / (1 + 1.2 * (0.25 + 0.75 / mean))
    two = together * 0.25**SPREAD * 2 / (2 + 1.2 * (0.25 + 0.75 * 2 / mean))
    assert score(psq, "Haus", "de", "one") == pytest.approx(one, rel=1e-6)
    assert score(psq, "Haus", "de", "two") == pytest.approx(two, rel=1e-6)


def test_in_the_documents_own_language_it_is_bm25(lexicons):
    psq, bm25 = (built(name, lexicons=lexicons) for name in ("psq", "bm25"))
    for text, language in (("rotes Haus", "de"), ("red ship house", "en"), ("красный дом", "ru")):
        query = Query("q", text, language)
        assert psq.search(query, 10, [language]) == bm25.search(query, 10, [language])


def test_an_identity_table_gives_plain_bm25(tmp_path):
    from lexical_examples import lexicon

    words = {word: {word: 1.0} for word in ("alpha", "beta", "gamma", "delta")}
    lexicon("sw", words).save(tmp_path / "sw")
    texts = ["alpha beta", "alpha alpha gamma", "delta gamma beta beta"]
    swahili = [Document(f"d{n}", text, language="sw") for n, text in enumerate(texts)]
    english = [Document(f"d{n}", text, language="en") for n, text in enumerate(texts)]
    psq = built("psq", swahili, lexicons=[str(tmp_path / "sw")])
    bm25 = built("bm25", english, translate=False)
    query = Query("q", "alpha gamma", "en")
    found, expected = psq.search(query, 5), bm25.search(query, 5)
    assert [hit.doc_id for hit in found.hits] == [hit.doc_id for hit in expected.hits]
    scores = [[hit.score for hit in ranking.hits] for ranking in (found, expected)]
    assert scores[0] == pytest.approx(scores[1], rel=1e-6)


@pytest.mark.parametrize(
    ("text", "language", "first"),
    [
        ("red house", "en", "en-house"),
        ("rotes Haus", "de", "de-haus"),
        ("красный дом", "ru", "ru-dom"),
    ],
)
def test_every_language_finds_the_same_document_in_every_other(lexicons, text, language, first):
    psq = built("psq", lexicons=lexicons)
    assert set(ids(psq, text, language, k=3)) == {"en-house", "de-haus", "ru-dom"}
    assert ids(psq, text, language, k=1, languages=[first[:2]]) == [first]


def test_an_unknown_compound_is_found_by_its_parts(lexicons):
    psq = built("psq", lexicons=lexicons)
    assert ids(psq, "steam ship", "en", languages=["de"]) == ["de-schiff"]
    assert ids(psq, "Dampfschiff", "de", languages=["en"]) == ["en-ship"]


def test_an_unknown_inflection_is_found_by_its_nearest_word(lexicons):
    documents = [Document("d", "the world cup", language="en")]
    psq = built("psq", documents, lexicons=lexicons)
    assert ids(psq, "weltmeisterschafte", "de") == ["d"]


@pytest.mark.parametrize(("text", "language"), [("Obama", "en"), ("Обама", "ru"), ("Obama", "de")])
def test_a_name_is_found_in_other_scripts(lexicons, text, language):
    psq = built("psq", lexicons=lexicons)
    assert set(ids(psq, text, language)) == {"en-obama", "ru-obama"}


def test_numbers_stand_for_themselves(lexicons):
    documents = [
        Document("de", "Im Jahr 1984", language="de"),
        Document("en", "the year 1984", language="en"),
    ]
    psq = built("psq", documents, lexicons=lexicons)
    assert set(ids(psq, "1984", "ru")) == {"de", "en"}


def test_documents_in_an_unrelated_language_change_no_score(lexicons):
    few = built("psq", [d for d in DOCUMENTS if d.language != "ru"], lexicons=lexicons)
    all_of_them = built("psq", lexicons=lexicons)
    query = Query("q", "красный дом", "ru")
    expected = {hit.doc_id: hit.score for hit in few.search(query, 10).hits}
    found = {hit.doc_id: hit.score for hit in all_of_them.search(query, 10).hits}
    assert expected == {doc_id: found[doc_id] for doc_id in expected}


def test_a_language_without_a_table_is_said_so(lexicons):
    documents = [Document("xx", "Obama akatembelea", language="yo")]
    psq = built("psq", documents, lexicons=lexicons)
    assert any("yo" in notice and "no translation table" in notice for notice in psq.notices)
    assert ids(psq, "Obama", "en") == ["xx"]


def test_the_explanation_names_the_words_that_met(lexicons):
    psq = built("psq", lexicons=lexicons)
    german = next(d for d in DOCUMENTS if d.doc_id == "de-haus")
    query = Query("q", "red house", "en")
    why = psq.explain(query, german)
    met = {(link.query_word, link.document_word): link for link in why.links}
    assert met["red", "rotes"].weight == pytest.approx(1.0)
    assert met["house", "Haus"].weight == pytest.approx(0.75)
    assert sum(link.share for link in why.links) == pytest.approx(1.0)
    assert why.score == pytest.approx(score(psq, "red house", "en", "de-haus"), rel=1e-6)


def test_the_explained_score_is_the_searched_one_in_every_direction(lexicons):
    psq = built("psq", lexicons=lexicons)
    for text, language in (("red house water", "en"), ("rotes Haus", "de"), ("дом воды", "ru")):
        query = Query("q", text, language)
        for hit in psq.search(query, 10).hits:
            document = next(d for d in DOCUMENTS if d.doc_id == hit.doc_id)
            assert psq.explain(query, document).score == pytest.approx(hit.score, rel=1e-5)


def test_the_users_tables_travel_with_the_index(lexicons, tmp_path):
    psq = built("psq", lexicons=lexicons)
    psq.save(tmp_path)
    again = system("psq").load(tmp_path)
    assert again.settings == psq.settings
    assert np.all([path.is_relative_to(tmp_path) for path in again.config.lexicons])
    assert ids(again, "красный дом", "ru") == ids(psq, "красный дом", "ru")
