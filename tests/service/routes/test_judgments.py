import pytest

from dragoman.text.files import Faults
from dragoman.text.source import read_judgments, read_queries
from small_service import small_service

GIVEN = {"query": 'rising "bread"\tdough', "id": "bread", "grade": 2, "system": "bm25"}


@pytest.fixture
def judged(tmp_path):
    with small_service(tmp_path) as client:
        yield client


def judge(client, **fields):
    return client.post("/v1/judgments", json={**GIVEN, **fields})


def test_a_judgment_replaces_the_same_judges_earlier_one(judged):
    assert judge(judged).status_code == 201
    assert judge(judged, grade=0).status_code == 201
    (row,) = judged.get("/v1/judgments").json()["judgments"]
    assert (row["id"], row["grade"], row["query"]) == ("bread", 0, GIVEN["query"])


def test_a_judgment_can_be_withdrawn(judged):
    judge(judged)
    judge(judged, id="brot")
    assert judge(judged, grade=None).status_code == 201
    assert judge(judged, grade=None, id="never-judged").status_code == 201
    assert [row["id"] for row in judged.get("/v1/judgments").json()["judgments"]] == ["brot"]


def test_the_export_is_what_evaluate_reads(judged, tmp_path):
    judge(judged)
    judge(judged, id="brot", grade=0, language="de")
    for name in ("qrels", "queries"):
        text = judged.get(f"/v1/judgments?format={name}").text
        (tmp_path / f"{name}.tsv").write_text(text, encoding="utf-8")
    queries = {one.query_id: one for one in read_queries(tmp_path / "queries.tsv", Faults())}
    judgments = read_judgments(tmp_path / "qrels.tsv", Faults())
    read = {
        (queries[query].text, queries[query].language, doc_id): grade
        for query, grades in judgments.items()
        for doc_id, grade in grades.items()
    }
    assert read == {
        ('rising "bread" dough', "", "bread"): 2,
        ('rising "bread" dough', "de", "brot"): 0,
    }


def test_without_judgments_the_export_is_empty(judged):
    assert judged.get("/v1/judgments").json() == {"judgments": []}
    assert judged.get("/v1/judgments?format=qrels").text == "query-id\tcorpus-id\tscore\n"


@pytest.mark.parametrize(
    "fields",
    [{"grade": 4}, {"grade": -1}, {"grade": True}, {"grade": "1"}, {"query": ""}, {"id": ""}],
)
def test_a_wrong_judgment_is_a_problem(judged, fields):
    assert judge(judged, **fields).status_code == 422


def test_a_judgment_of_an_unknown_document_is_a_problem(judged):
    assert judge(judged, id="none").json()["code"] == "unknown_document"


def test_an_unknown_format_is_a_problem(judged):
    assert judged.get("/v1/judgments?format=xml").status_code == 422
