"""Pages and facets of a ranking, and how they outlive changes of the index."""

import shutil

import pytest

import dragoman
from dragoman.service.admission import Ticket
from dragoman.service.problems import Problem
from dragoman.service.schemas.search import SearchParameters
from dragoman.service.search.cursors import Cursors
from dragoman.service.search.searching import Searching, search_digest
from dragoman.service.search.windows import Windows
from dragoman.types import Document

TEXTS = [f"the moon, part {number}" + " and the sea" * (number % 3) for number in range(30)]
DOCUMENTS = [
    Document(f"d{n:02d}", text, "", "en" if n % 3 else "de", {"part": n % 2, "odd": bool(n % 2)})
    for n, text in enumerate(TEXTS)
]


@pytest.fixture
def index(tmp_path):
    settings = {"translate": False}
    with dragoman.index(DOCUMENTS, tmp_path / "i", system="bm25", settings=settings) as built:
        yield built


@pytest.fixture
def searching():
    return Searching(Windows(8, 60), Cursors(60))


def search(searching, index, **wanted):
    parameters = SearchParameters(query="moon sea", language="en", **wanted)
    return searching.answer(index, parameters, Ticket())


def ids(answer):
    return [hit["id"] for hit in answer["hits"]]


def pages(searching, index, **wanted):
    answer = search(searching, index, **wanted)
    seen = [answer]
    while answer["next"]:
        answer = search(searching, index, cursor=answer["next"], **wanted)
        seen.append(answer)
    return seen


@pytest.mark.parametrize("k", [1, 7, 30, 100])
def test_pages_together_are_the_ranking(searching, index, k):
    seen = pages(searching, index, k=k, group=False)
    expected = [
        hit.doc_id for hit in index.search("moon sea", 500, language="en", group=False).ranking.hits
    ]
    assert [one for page in seen for one in ids(page)] == expected
    assert [hit["rank"] for page in seen for hit in page["hits"]] == [*range(1, 31)]
    assert seen[0]["window"] == {"hits": 30, "limit": 500}


@pytest.mark.parametrize("k", [1, 7, 30])
def test_pages_of_groups_have_every_document_once(searching, index, k):
    hits = [hit for page in pages(searching, index, k=k) for hit in page["hits"]]
    everyone = [one["id"] for hit in hits for one in (hit, *hit["members"])]
    assert sorted(everyone) == [document.doc_id for document in DOCUMENTS]
    assert any(hit["members"] for hit in hits)
    assert [hit["rank"] for hit in hits] == [*range(1, len(hits) + 1)]


def test_a_page_is_of_the_ranking_that_it_continues(searching, index):
    before = search(searching, index, k=30)
    first = search(searching, index, k=10)
    index.add([Document("new", "moon sea moon sea", "", "en")])
    index.delete([before["hits"][12]["id"]])
    second = search(searching, index, k=10, cursor=first["next"])
    assert second["snapshot"] == first["snapshot"]
    expected = ids(before)[10:20]
    expected.remove(before["hits"][12]["id"])
    assert ids(second) == expected
    assert "new" in ids(search(searching, index, k=30))


def test_a_cursor_of_a_replaced_snapshot_that_is_not_cached_is_gone(searching, index):
    cursor = search(searching, index, k=10)["next"]
    forgetful = Searching(Windows(8, 60), searching.cursors)
    assert search(forgetful, index, k=10, cursor=cursor)["hits"][0]["rank"] == 11
    forgetful = Searching(Windows(8, 60), searching.cursors)
    index.add([Document("new", "moon sea", "", "en")])
    with pytest.raises(Problem, match="expired") as caught:
        search(forgetful, index, k=10, cursor=cursor)
    assert caught.value.status_code == 410


def test_facets_count_the_window_and_not_the_page(searching, index):
    facets = search(searching, index, k=1, facets="language,part,odd,nothing")["facets"]
    assert facets["language"] == [{"value": "en", "count": 20}, {"value": "de", "count": 10}]
    assert facets["part"] == [{"value": 0, "count": 15}, {"value": 1, "count": 15}]
    assert facets["odd"] == [{"value": False, "count": 15}, {"value": True, "count": 15}]
    assert facets["nothing"] == []


def test_languages_are_counted_whatever_languages_are_chosen(searching, index):
    answer = search(searching, index, languages="de", facets="language,part")
    assert answer["facets"]["language"] == [
        {"value": "en", "count": 20},
        {"value": "de", "count": 10},
    ]
    assert sum(one["count"] for one in answer["facets"]["part"]) == 10
    assert answer["window"]["hits"] == 10


def test_a_ranking_is_computed_once(searching, index, monkeypatch):
    search(searching, index, k=5)
    monkeypatch.setattr(type(index), "rank_in", None)
    assert len(ids(search(searching, index, k=20))) == 20
    with pytest.raises(TypeError):
        search(searching, index, k=5, languages="de")


def test_the_order_and_spelling_of_languages_do_not_matter(index):
    one = SearchParameters(query="moon", languages="de,fr", language="eng")
    other = SearchParameters(query="moon", languages="fr, de", language="en", k=50)
    assert search_digest(index, one) == search_digest(index, other)
    sun = one.model_copy(update={"query": "sun"})
    assert search_digest(index, one) != search_digest(index, sun)


def test_a_copy_of_an_index_has_rankings_of_its_own(searching, index, tmp_path):
    shutil.copytree(tmp_path / "i", tmp_path / "copy")
    with dragoman.open(tmp_path / "copy") as copy:
        index.add([Document("new", "moon sea", language="en")])
        copy.delete(["d00"])
        both = [search(searching, one, k=100, group=False) for one in (index, copy)]
    assert both[0]["snapshot"] == both[1]["snapshot"]
    assert ("new" in ids(both[0]), "new" in ids(both[1])) == (True, False)


def test_only_offered_systems_rerank(searching, index):
    with pytest.raises(Problem, match="offers none"):
        search(searching, index, rerank="/etc")
    offering = Searching(searching.windows, searching.cursors, ["idf"])
    with pytest.raises(Problem, match="offers idf"):
        search(offering, index, rerank="bm25")
    assert len(ids(search(offering, index, rerank="idf"))) == 10
