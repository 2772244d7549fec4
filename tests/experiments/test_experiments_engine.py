import pytest

from dragoman.experiments import engine, lexical
from dragoman.ranking.balance import Balance
from dragoman.text.plain import write_documents, write_judgments, write_queries
from dragoman.types import Document, Query
from toys import toy_encoder

WORDS = {"house": 0, "nyumba": 0, "water": 1, "maji": 1, "teacher": 2, "mwalimu": 2}


@pytest.fixture
def encoder(monkeypatch):
    """A toy in the place of the default encoder, which tests do not fetch."""
    toy = toy_encoder("en", WORDS)
    toy.languages = frozenset({"en", "sw"})
    monkeypatch.setattr("dragoman.systems.dense.system.load_encoder", lambda name: toy)


@pytest.fixture
def data(tmp_path):
    documents = [
        Document("en-house", "the house", language="en"),
        Document("sw-house", "nyumba", language="sw"),
        Document("en-teacher", "the teacher", language="en"),
        Document("sw-water", "maji", language="sw"),
    ]
    folder = tmp_path / "xquad-r" / "sentences"
    folder.mkdir(parents=True)
    write_documents(folder / "corpus.jsonl.gz", documents)
    queries = [Query("q", "house", "en"), Query("r", "nyumba", "sw"), Query("x", "no", "sw")]
    write_queries(folder.parent / "queries.jsonl.gz", queries)
    judged = {"q": {"en-house": 1, "sw-house": 1}, "r": {"en-house": 1, "sw-house": 1}}
    write_judgments(folder / "qrels.tsv.gz", judged)
    afriqa = tmp_path / "afriqa-sw"
    afriqa.mkdir()
    write_documents(afriqa / "corpus.jsonl.gz", documents)
    write_queries(afriqa / "queries.jsonl.gz", queries[1:2])
    write_judgments(afriqa / "qrels.tsv.gz", {"r": {"en-house": 1}})
    return tmp_path


def test_pairs_and_pool_are_measured_and_reported(encoder, data):
    collection = lexical._afriqa(data / "afriqa-sw", "sw")
    rows = engine.compare(collection, most=10)
    assert [set(row.values) for row in rows] == [set(engine.SYSTEMS)]
    assert rows[0].values["hybrid"] == 1.0
    pooled = engine.compare_pooled(data / "xquad-r", most=10)
    assert [(one.system, one.balance) for one in pooled][:2] == [
        ("psq", Balance.OFF),
        ("psq", Balance.CALIBRATED),
    ]
    assert {one.mean for one in pooled if one.system == "hybrid"} == {1.0}
    text = engine.report(rows, pooled, "the command")
    assert "| afriqa-sw | sw (1) | en |" in text
    assert "| hybrid | balance calibrated | 1.000 | 1.000 | 1.000 |" in text
    assert "the command" in text


def test_questions_are_spread_from_the_first_to_the_last():
    queries = [Query(f"q{n}", "x", "en") for n in range(10)]
    assert [query.query_id for query in engine.spread(queries, 4)] == ["q0", "q2", "q5", "q7"]
    assert engine.spread(queries, 100) == tuple(queries)
