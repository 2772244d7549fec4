"""Evidence by words: the share of a query's weight that a document covers."""

import pytest

import dragoman
from dragoman.indexes.search.evidence import NEXT
from dragoman.systems.lexical.evidence import query_weight
from dragoman.types import Document, Query

DOCUMENTS = [
    Document("both", "tide moon", language="en"),
    Document("one", "tide yeast", language="en"),
    Document("none", "bread oven", language="en"),
    Document("mond", "Mond", language="de"),
]


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("evidence") / "index"
    with dragoman.index(DOCUMENTS, folder, system="psq") as made:
        yield made


def evidence(index, text, *doc_ids):
    with index.snapshot() as snapshot:
        numbers = snapshot.numbers_of(doc_ids)
        return index.system.evidence(snapshot, Query("q", text, "en"), numbers)


def test_a_document_with_more_of_the_query_covers_more_of_it(index):
    both, one, none = evidence(index, "tide moon", "both", "one", "none")[:, 0]
    assert 1 > both > one > none == 0


def test_coverage_is_the_score_over_the_weight_of_the_query(index):
    query = Query("q", "tide moon", "en")
    scores = {hit.doc_id: hit.score for hit in index.rank(query, 10, index.scope(["en"])).hits}
    with index.snapshot() as snapshot:
        postings = index.system.postings(snapshot)
        words = index.system.analyzer(query.text, "en")
        weight = query_weight(index.system, postings, words, "en", "en")
    covered = evidence(index, query.text, "both")[0, 0]
    assert covered == pytest.approx(scores["both"] / weight, rel=1e-5)


def test_a_word_that_no_document_has_lowers_the_coverage(index):
    assert (
        evidence(index, "tide moon xylophone", "both")[0, 0]
        < (evidence(index, "tide moon", "both")[0, 0])
    )


def test_the_margin_is_what_the_next_documents_of_the_language_leave(index):
    (coverage, margin), (other, _) = evidence(index, "tide moon", "both", "one")
    assert margin == pytest.approx(coverage - other / NEXT)


def test_a_query_without_a_known_word_has_no_evidence(index):
    assert not evidence(index, "the", "both").any()
    assert evidence(index, "tide").shape == (0, 2)
