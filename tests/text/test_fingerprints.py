from dragoman.text.fingerprints import (
    DIGITS,
    fingerprint_documents,
    fingerprint_judgments,
    fingerprint_queries,
)
from dragoman.types import Document, Query

TEXTS = [Document("a", "bread", "Bread", "en"), Document("b", "mkate", "", "sw")]


def test_the_order_does_not_matter():
    assert fingerprint_documents(TEXTS) == fingerprint_documents(TEXTS[::-1])
    assert len(fingerprint_documents(TEXTS)) == DIGITS


def test_every_field_matters():
    others = [
        Document("c", "bread", "Bread", "en"),
        Document("a", "bred", "Bread", "en"),
        Document("a", "bread", "bread", "en"),
        Document("a", "bread", "Bread", "de"),
        Document("a", "readB", "B", "en"),
    ]
    marks = {fingerprint_documents([one]) for one in [TEXTS[0], *others]}
    assert len(marks) == 1 + len(others)


def test_the_same_document_twice_is_another_corpus():
    assert fingerprint_documents(TEXTS[:1]) != fingerprint_documents([TEXTS[0], TEXTS[0]])


def test_queries_and_judgments():
    assert fingerprint_queries([Query("q", "x", "en")]) != fingerprint_queries([Query("q", "x")])
    assert fingerprint_judgments({"q": {"d": 1}}) != fingerprint_judgments({"q": {"d": 2}})
    assert fingerprint_judgments({"q": {}}) == fingerprint_judgments({})
