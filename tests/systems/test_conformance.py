"""What every registered system promises, whatever it computes."""

import json

import numpy as np
import pytest
from lexical_examples import DOCUMENTS, built, ids

from dragoman.errors import InputError, UnknownName
from dragoman.registry import SYSTEMS, system
from dragoman.types import Document, Query

# Systems that need a model bring tests with small models of their own.
LEXICAL = sorted(name for name, address in SYSTEMS.items() if ".lexical." in address)

every_system = pytest.mark.parametrize("name", LEXICAL)

QUERIES = [("red house", "en"), ("rotes Haus", "de"), ("красный дом", "ru"), ("ship water", "en")]


@every_system
def test_a_copy_of_the_query_stands_first(name, lexicons):
    searched = built(name, lexicons=lexicons)
    for document in DOCUMENTS:
        found = ids(searched, document.text, document.language, 1, [document.language])
        assert found == [document.doc_id]


@every_system
@pytest.mark.parametrize("text", ["", "   ", "?!", "🙂", "\u0301", "qqqqqq zzzzzzz"])
def test_a_query_without_a_known_word_finds_nothing(name, lexicons, text):
    assert ids(built(name, lexicons=lexicons), text, "en") == []


@every_system
def test_more_can_be_asked_for_than_there_is(name, lexicons):
    found = ids(built(name, lexicons=lexicons), "red house", "en", k=1000)
    assert len(found) == len(set(found)) <= len(DOCUMENTS)
    assert {"en-house", "de-haus", "ru-dom"} <= set(found)


@every_system
def test_one_document_is_a_collection(name, lexicons):
    alone = [Document("only", "red house", language="en")]
    assert ids(built(name, alone, lexicons=lexicons), "house", "en") == ["only"]


@every_system
def test_a_document_without_words_is_never_found_and_breaks_nothing(name, lexicons):
    documents = [
        Document("empty", "", language="en"),
        *DOCUMENTS,
        Document("z", "—", language="de"),
    ]
    found = ids(built(name, documents, lexicons=lexicons), "red house", "en", k=100)
    assert not {"empty", "z"} & set(found)


@every_system
def test_equal_scores_stand_in_the_order_of_their_ids(name, lexicons):
    names = ["b", "a10", "a9", "é", "Z"]
    documents = [Document(doc_id, "red house", language="en") for doc_id in names]
    searched = built(name, documents, lexicons=lexicons)
    assert ids(searched, "house", "en") == sorted(names)
    assert ids(searched, "house", "en", k=2) == sorted(names)[:2]


@every_system
def test_the_order_of_the_documents_does_not_matter(name, lexicons):
    forwards = built(name, lexicons=lexicons)
    backwards = built(name, DOCUMENTS[::-1], lexicons=lexicons)
    for text, language in QUERIES:
        first, second = (s.search(Query("q", text, language), 10) for s in (forwards, backwards))
        assert [hit.doc_id for hit in first.hits] == [hit.doc_id for hit in second.hits]


@every_system
@pytest.mark.parametrize("languages", [["de"], ["en", "ru"], ["de", "xx"], []])
def test_a_filter_gives_what_leaving_out_gives(name, lexicons, languages):
    searched = built(name, lexicons=lexicons)
    for text, language in QUERIES:
        query = Query("q", text, language)
        everything = searched.search(query, 100).hits
        expected = [hit for hit in everything if hit.doc_id[:2] in languages]
        found = searched.search(query, 100, languages).hits
        assert [hit.doc_id for hit in found] == [hit.doc_id for hit in expected]
        scores = [[hit.score for hit in hits] for hits in (found, expected)]
        assert scores[0] == pytest.approx(scores[1])


@every_system
def test_scores_fall_and_are_numbers(name, lexicons):
    searched = built(name, lexicons=lexicons)
    for text, language in QUERIES:
        scores = [hit.score for hit in searched.search(Query("q", text, language), 100).hits]
        assert scores == sorted(scores, reverse=True)
        assert np.isfinite(scores).all()


@every_system
def test_saved_and_loaded_it_answers_alike(name, lexicons, tmp_path):
    searched = built(name, lexicons=lexicons)
    searched.save(tmp_path)
    again = system(name).load(tmp_path)
    for text, language in QUERIES:
        query = Query("q", text, language)
        assert again.search(query, 10) == searched.search(query, 10)
    assert json.loads(json.dumps(again.settings)) == json.loads(json.dumps(searched.settings))
    assert list(again.notices) == list(searched.notices)


@every_system
def test_a_query_gets_the_same_answer_in_a_batch(name, lexicons):
    searched = built(name, lexicons=lexicons)
    queries = [Query(str(n), text, language) for n, (text, language) in enumerate(QUERIES)]
    together = searched.search_many([*queries, Query("empty", "", "en")], 5)
    assert together[:-1] == [searched.search(query, 5) for query in queries]
    assert together[-1].hits == ()
    assert searched.search_many([], 5) == []


@every_system
def test_encoded_and_scored_it_gives_what_search_gives(name, lexicons):
    searched = built(name, lexicons=lexicons)
    texts = [document.content for document in DOCUMENTS]
    for text, language in QUERIES:
        query = Query("q", text, language)
        (asked,) = searched.encode_queries([query.content])
        scores = searched.score(asked, searched.encode_documents(texts))
        by_id = {d.doc_id: score for d, score in zip(DOCUMENTS, scores, strict=True)}
        for hit in searched.search(query, 10).hits:
            assert by_id[hit.doc_id] == pytest.approx(hit.score, rel=1e-4, abs=1e-5)


@every_system
def test_encoding_does_not_depend_on_the_batch(name, lexicons):
    searched = built(name, lexicons=lexicons)
    texts = [document.content for document in DOCUMENTS]
    together = searched.encode_documents(texts)
    for text, encoded in zip(texts, together, strict=True):
        (alone,) = searched.encode_documents([text])
        assert alone.dimensions.tolist() == encoded.dimensions.tolist()
        assert alone.weights.tolist() == encoded.weights.tolist()


@every_system
def test_an_explanation_shares_out_the_whole_score(name, lexicons):
    searched = built(name, lexicons=lexicons)
    query = Query("q", "red house", "en")
    for hit in searched.search(query, 3).hits:
        document = next(d for d in DOCUMENTS if d.doc_id == hit.doc_id)
        why = searched.explain(query, document)
        assert (why.doc_id, why.score) == (hit.doc_id, pytest.approx(hit.score, rel=1e-4))
        shares = [link.share for link in why.links]
        assert sum(shares) == pytest.approx(1.0 if shares else 0.0)
        assert shares == sorted(shares, reverse=True)
        assert {link.query_word for link in why.links} <= {"red", "house"}


@every_system
def test_an_explanation_of_a_stranger_has_no_links(name, lexicons):
    searched = built(name, lexicons=lexicons)
    why = searched.explain(Query("q", "qqqq", "en"), DOCUMENTS[0])
    assert why.links == ()


@every_system
def test_a_document_that_comes_twice_is_refused(name, lexicons):
    with pytest.raises(InputError, match="'en-house' a second time"):
        built(name, [*DOCUMENTS, DOCUMENTS[0]], lexicons=lexicons)


@every_system
def test_a_misspelt_setting_is_refused(name):
    with pytest.raises(UnknownName, match="Did you mean 'lexicons'"):
        system(name).configure({"lexicon": []})
