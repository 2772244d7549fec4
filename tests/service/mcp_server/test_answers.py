"""Answers of tools: small, and complete by their cursors."""

from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.service.mcp_server.answers import (
    BY_VECTORS,
    compact,
    hit_answer,
    languages_answer,
    passage_answer,
    search_answer,
)

LINK = {"query_word": "bread", "document_word": "Brot", "weight": 1.0, "share": 0.5}


def hit(number=1, text="Brot", links=(LINK,)):
    return {
        "rank": number,
        "id": f"id-{number}",
        "language": "de",
        "language_name": "German",
        "title": "",
        "score": 0.123456,
        "match": None,
        "snippet": {"text": text, "marks": [], "start": 7, "end": 11},
        "gloss": "bread",
        "file": None,
        "page": 3,
        "links": [*links],
    }


def reply(hits):
    language = {"code": "en", "name": "English", "reason": "by its letters"}
    return {
        "language": language,
        "hits": hits,
        "window": {"hits": 40, "limit": 500},
        "next": "later",
        "warnings": [],
        "verdict": None,
    }


def test_a_hit_says_what_it_is_and_why():
    assert hit_answer(hit()) == {
        "rank": 1,
        "id": "id-1",
        "language": "German (de)",
        "score": 0.123,
        "snippet": "Brot",
        "gloss": "bread",
        "start": 7,
        "why": ["bread -> Brot"],
        "page": 3,
    }
    assert hit_answer(hit(links=()))["why"] == [BY_VECTORS]


@given(st.lists(st.text(max_size=400), min_size=1, max_size=20), st.integers(500, 5000))
@settings(deadline=None)
def test_hits_that_do_not_fit_are_left_out_from_the_end(texts, size):
    hits = [hit(number, text) for number, text in enumerate(texts, start=1)]
    answer, shown = search_answer(reply(hits), size)
    assert [one["rank"] for one in answer["hits"]] == [*range(1, shown + 1)]
    assert shown == 1 or len(compact(answer)) <= size
    if shown < len(hits):
        longer = {**answer, "hits": [hit_answer(one) for one in hits[: shown + 1]]}
        assert len(compact(longer)) > size


def piece(text, start):
    return {
        "id": "a",
        "language": "de",
        "language_name": "German",
        "title": "A",
        "letters": len(text),
        "start": start,
        "end": len(text),
        "text": text[start:],
        "metadata": {"long": "x" * 2000},
    }


@given(st.text(min_size=1, max_size=3000), st.integers(300, 1500))
@settings(deadline=None)
def test_the_passages_of_a_document_are_its_text(text, size):
    start, passages = 0, []
    while start is not None:
        answer = passage_answer(piece(text, start), size)
        assert len(compact(answer)) <= size + 10  # where it goes on may take a few digits
        assert "metadata" not in answer
        passages.append(answer["text"])
        start = answer["next"]
    assert "".join(passages) == text


def test_languages_come_with_their_names_the_largest_first():
    stats = {"documents": 5, "languages": {"de": 2, "sw": 3}, "tables": ["de"]}
    assert languages_answer(stats)["languages"] == [
        {"code": "sw", "name": "Swahili", "documents": 3},
        {"code": "de", "name": "German", "documents": 2},
    ]
