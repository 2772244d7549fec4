"""A score taken apart: the same number as a search gives, shared among the words that met."""

import pytest

from dragoman.systems.lexical.explanation import Term, counted, linked
from dragoman.types import Query
from lexical_examples import DOCUMENTS, built

QUERIES = [
    Query("q", text, language)
    for text, language in [
        ("red house water red", "en"),
        ("rotes Haus und ein Schiff", "de"),
        ("дом воды", "ru"),
        ("Obama Washington", "en"),
        ("Obama", "yo"),
    ]
]


@pytest.mark.parametrize("name", ["psq", "bm25", "tf", "idf"])
@pytest.mark.parametrize("query", QUERIES, ids=lambda query: query.text)
def test_search_score_and_explanation_agree_in_every_direction(name, lexicons, query):
    searched = built(name, lexicons=lexicons)
    by_search = {hit.doc_id: hit.score for hit in searched.search(query, 10).hits}
    assert by_search
    documents = [document for document in DOCUMENTS if document.doc_id in by_search]
    by_score = searched.score(query, documents)
    for document, score in zip(documents, by_score, strict=True):
        why = searched.explain(query, document)
        assert why.score == pytest.approx(by_search[document.doc_id], rel=1e-5, abs=1e-6)
        assert score == pytest.approx(by_search[document.doc_id], rel=1e-5, abs=1e-6)
        shares = [link.share for link in why.links]
        assert sum(shares) == pytest.approx(1.0 if shares else 0.0)


def test_a_dimension_is_shared_by_counts_and_a_pair_that_meets_twice_is_one_link():
    query = [Term("sea", 1, 1.0, 2.0), Term("sea", 2, 0.5, 1.0), Term("moon", 3, 1.0, 5.0)]
    document = [
        Term("Meer", 1, 0.5, 0.5),
        Term("Meer", 2, 0.4, 0.4),
        Term("See", 1, 1.0, 1.0),
        Term("See", 1, 1.0, 1.0),
    ]
    counts = counted(document, 3)
    assert (counts.dimensions.tolist(), counts.counts.tolist()) == ([1, 2], [2.5, 0.4])
    see, meer = linked(query, document, {1: 0.5, 2: 0.25})
    # 1 has 2 * .5, a fifth of it by Meer; 2 has 1 * .25, all by Meer
    assert (see.query_word, see.document_word, see.share) == (
        "sea",
        "See",
        pytest.approx(0.8 / 1.25),
    )
    assert (meer.document_word, meer.share) == ("Meer", pytest.approx(0.45 / 1.25))
    assert (see.weight, meer.weight) == (1.0, pytest.approx(0.5 + 0.5 * 0.4))


def test_words_that_do_not_meet_have_no_links():
    assert linked([Term("sea", 1, 1.0, 2.0)], [Term("Mond", 3, 1.0, 1.0)], {3: 0.5}) == ()
    assert linked([], [], {}) == ()
