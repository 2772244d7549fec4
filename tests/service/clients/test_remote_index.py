"""An index behind a service does what the index in the folder does."""

import json
import threading

import httpx
import pytest

import dragoman
from dragoman.errors import MissingExtra, ServiceError, UserError
from dragoman.indexes.search.listing import DocumentEntry, list_documents
from dragoman.indexes.search.reranking import Rerank
from dragoman.service.clients import operations
from dragoman.types import Document, Query
from remote import played, remote
from small_index import QUERIES
from small_service import several_indexes, small_service

PROBLEM = {"detail": "Too much to do.", "code": "busy", "request_id": "7"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("remote")


@pytest.fixture(scope="module")
def client(folder):
    with small_service(folder) as opened:
        yield opened


@pytest.fixture
def local(client, folder):
    with dragoman.open(folder / "letters") as index:
        yield index


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"k": 1},
        {"k": 500},
        {"within": ["de"]},
        {"where": ["year>=2001"], "language": "en"},
        {"balance": "off", "snippet_length": 20},
    ],
)
@pytest.mark.parametrize("query", ["rises yeast moon", "Hefe Salz Meer", "nothing at all"])
def test_a_search_gives_the_same_answer(client, local, query, options):
    assert remote(client).search(query, **options) == local.search(query, **options)


def test_without_snippets_hits_and_documents_are_the_same(client, local):
    answer, expected = (index.search("moon", snippet_length=0) for index in (remote(client), local))
    assert (answer.ranking, answer.documents) == (expected.ranking, expected.documents)
    assert [result.words for result in answer.results] == [()]


def test_texts_can_be_left_out(client, local):
    answer = remote(client, texts=False).search("moon")
    assert [one.text for one in answer.documents] == [""]
    assert answer.ranking == local.search("moon").ranking


def test_texts_that_an_answer_has_no_room_for_are_fetched(client, local, monkeypatch):
    monkeypatch.setattr("dragoman.service.search.answer_fields.LONGEST_PIECE", 30)
    monkeypatch.setattr(operations, "LONGEST_PIECE", 7)  # of a document, at a time
    assert remote(client).search("rises") == local.search("rises")


def test_rankings_are_the_same_however_they_are_paged(client, local, monkeypatch):
    monkeypatch.setattr(operations, "MOST_PER_PAGE", 1)
    queries = [*QUERIES, Query("u", "moon yeast Meer rises")]
    for scope in (None, local.scope(["de"], ["year=2010|2011"])):
        assert [*remote(client).rank_all(queries, 3, scope)] == [*local.rank_all(queries, 3, scope)]


def test_documents_are_the_same(client, local):
    index = remote(client)
    assert index.get("brot") == local.get("brot")
    assert index.documents(["salz", "gone"]) == local.documents(["salz", "gone"])
    assert index.count() == 4
    assert index.languages == local.languages
    with pytest.raises(ServiceError, match="8080: No document has the id 'gone'") as raised:
        index.get("gone")
    assert (raised.value.status, raised.value.code) == (404, "unknown_document")


@pytest.mark.parametrize("sort", ["id", "-id", "title", "-year"])
def test_lists_are_the_same_however_they_are_paged(client, local, monkeypatch, sort):
    monkeypatch.setattr(operations, "ENTRIES", 2)
    scope = local.scope(where=["year>=0"])
    with local.snapshot() as snapshot:
        expected = [*map(DocumentEntry.of, list_documents(snapshot, scope.allowed, sort))]
    assert [*remote(client).entries(scope, sort)] == expected


def test_explanations_are_the_same(client, local):
    assert remote(client).explain("moon", "tide") == local.explain("moon", "tide")


def test_an_index_of_several_is_named(tmp_path):
    with several_indexes(tmp_path, "one", "two") as client:
        with pytest.raises(ServiceError, match=r"Several indexes are here.*one, two"):
            remote(client).count()
        assert remote(client, index="two").count() == 4
        assert remote(client, "http://127.0.0.1:8080/v1/indexes/one").count() == 4


def test_a_depth_beyond_that_of_the_service_is_refused_at_once(client):
    answers = {
        "/v1/search:batch": {"answers": [{"window": {"hits": 3, "limit": 500}, "next": None}]},
        "/v1/stats": {"documents": 501},
    }
    index, _ = played(lambda request: httpx.Response(200, json=answers[request.url.path]))
    with pytest.raises(UserError, match=r"k is 501; this service ranks at most 500.*Use -k 500"):
        next(index.rank_all([Query("q", "moon")], 501))
    assert [*remote(client).rank_all(QUERIES, 9000)]  # the index has fewer documents


def test_a_reranking_with_settings_of_ones_own_is_refused(client):
    with pytest.raises(UserError, match="with its own settings"):
        remote(client).search("moon", rerank=Rerank("bm25", weight=0.7))
    with pytest.raises(ServiceError, match="this service offers none"):
        remote(client).search("moon", rerank="bm25")


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_service_is_asked_again_not_before_it_wants(status):
    replies = iter([httpx.Response(status, json=PROBLEM, headers={"Retry-After": "2"})])
    stats = httpx.Response(200, json={"documents": 7})
    index, waited = played(lambda _: next(replies, stats))
    assert index.count() == 7
    assert waited == [2.5]


def test_a_service_that_stays_busy_is_an_error_with_its_words():
    index, waited = played(lambda _: httpx.Response(503, json=PROBLEM))
    with pytest.raises(ServiceError, match=r"Too much to do. It was tried 5 times. .request 7"):
        index.count()
    assert waited == [0.5, 1.0, 2.0, 4.0]


def test_broken_connections_are_tried_again_writes_included():
    seen = []

    def answer(request):
        seen.append((request.method, request.url.raw_path.decode(), request.read()))
        if len(seen) % 2:
            raise httpx.ReadError("broken")
        return httpx.Response(204 if request.method == "DELETE" else 200, json={"id": "x"})

    index, _ = played(answer)
    document = dragoman.Document("a/b c", "Text", "Title", "en", {"year": 2, "_sections": []})
    assert index.add([document]) == 1
    assert index.delete(["a/b c"]) == 1
    assert [one[:2] for one in seen] == [
        *[("PUT", "/v1/documents/a%2Fb%20c")] * 2,
        *[("DELETE", "/v1/documents/a%2Fb%20c")] * 2,
    ]
    sent = {"text": "Text", "title": "Title", "language": "en", "metadata": {"year": 2}}
    assert json.loads(seen[0][2]) == json.loads(seen[1][2]) == sent


def test_an_unreachable_service_is_one_clear_line():
    def answer(_):
        raise httpx.ConnectError("Connection refused")

    index, waited = played(answer)
    with pytest.raises(ServiceError, match=r"^http://127.0.0.1:8080: no service can be reached"):
        index.count()
    assert len(waited) == 2


def test_a_time_limit_is_kept_to():
    def answer(_):
        raise httpx.ReadTimeout("slow")

    index, waited = played(answer, seconds=3)
    with pytest.raises(ServiceError, match="no answer within 3 seconds"):
        index.count()
    assert not waited


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (httpx.Response(200, text="<html>"), r"answered 200 \(text/plain"),
        (httpx.Response(302, headers={"location": "http://elsewhere"}), "answered 302"),
        (httpx.Response(404, json={"detail": "Not Found"}), "answered 404.*Check the address"),
        (httpx.Response(200, json={"other": 1}), "lacks what dragoman .* expects"),
        (httpx.Response(200, json=[]), "lacks what dragoman"),
    ],
)
def test_what_is_no_service_of_dragoman_is_recognised(reply, message):
    index, _ = played(lambda _: reply)
    with pytest.raises(ServiceError, match=message):
        index.search("moon")


def test_an_endless_answer_is_not_read_to_its_end(monkeypatch):
    monkeypatch.setattr("dragoman.service.clients.remote_index.LARGEST_ANSWER", 1000)
    index, _ = played(lambda _: httpx.Response(200, content=b" " * 1001))
    with pytest.raises(ServiceError, match="an answer has more than"):
        index.count()


def test_a_key_is_sent_as_a_header_and_shown_nowhere():
    def answer(request):
        assert request.headers["authorization"] == "Bearer dgm_secret"
        assert request.headers["x-dragoman"] == "1"
        return httpx.Response(401, json={"detail": "x", "code": "key_needed"})

    index, _ = played(answer, key="dgm_secret\n")
    with pytest.raises(ServiceError, match="needs a key: set DRAGOMAN_KEY") as raised:
        index.count()
    assert "dgm_secret" not in f"{index!r} {raised.value}"
    with pytest.raises(UserError, match="Found a key with blanks"):
        played(answer, key="two words")


def test_threads_share_a_client(client, local):
    index, expected = remote(client), local.search("moon")
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(index.search("moon"))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [expected] * 4


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "httpx", None)
    monkeypatch.delitem(
        __import__("sys").modules, "dragoman.service.clients.remote_index", raising=False
    )
    monkeypatch.delitem(
        __import__("sys").modules, "dragoman.service.clients.exchange", raising=False
    )
    with pytest.raises(MissingExtra, match="extra 'serve'"):
        dragoman.connect("http://127.0.0.1:8080")


def test_many_documents_are_added_as_one_task_and_are_there_at_the_end(tmp_path):
    some = [Document(f"n/{number}", f"text {number}", "t", "en") for number in range(25)]
    counted = []
    with small_service(tmp_path) as client:
        index = remote(client)
        assert index.add(some, lambda: counted.append(index.count())) == 25
        assert counted == [29] * 25
        assert index.documents(["n/3", "n/24"]) == [some[3], some[24]]
        (task,) = client.get("/v1/tasks").json()["tasks"]
        assert (task["kind"], task["added"]) == ("documents", 25)


def test_portions_fit_into_a_batch_and_keep_the_order(monkeypatch):
    monkeypatch.setattr(operations, "PORTION", 3)
    monkeypatch.setattr(operations, "PORTION_LETTERS", 10)
    lengths = [1, 1, 1, 1, 20, 5, 5, 1]
    some = [Document(str(number), "x" * length) for number, length in enumerate(lengths)]
    portions = [[len(one.text) for one in part] for part in operations.portions(some)]
    assert portions == [[1, 1, 1], [1], [20], [5, 5], [1]]
    assert [*operations.portions([])] == []


def test_a_failed_task_of_additions_is_an_error():
    steps = operations.add([Document(str(number), "x") for number in range(25)])
    assert next(steps).path == "/documents:batch"
    assert steps.send({"task": {"id": "7"}}).path == "/tasks/7"
    assert steps.send({"state": "running", "reason": ""}).after > 0
    with pytest.raises(ServiceError, match=r"could not be added \(failed\): tried 3 times"):
        steps.send({"state": "failed", "reason": "tried 3 times"})
