import json

import pytest

from commands import run
from dragoman.errors import UnknownName


def test_a_collection_is_a_task(tmp_path):
    collection, results = tmp_path / "small", tmp_path / "results"
    collection.mkdir()
    (collection / "corpus.jsonl").write_text(
        '{"_id": "d1", "text": "bread from flour", "lang": "en"}\n'
        '{"_id": "d2", "text": "tides of the sea", "lang": "en"}\n'
    )
    (collection / "queries.jsonl").write_text('{"_id": "q", "text": "mkate", "lang": "sw"}\n')
    (collection / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq\td1\t1\n")
    command = ("benchmark", "mteb", collection, "-o", results, "--system", "psq")
    (score,) = json.loads(run(*command, "--json"))
    assert (score["task"], score["measure"], score["score"]) == ("smallRetrieval", "ndcg_at_10", 1)
    (written,) = results.glob("runs/dragoman__psq/*/smallRetrieval.default.test.trec")
    assert written.read_text().startswith("q Q0 d1 1 ")
    assert "smallRetrieval default test: ndcg_at_10 1.00000" in run(*command)


def test_an_unknown_system_is_refused_first(tmp_path):
    with pytest.raises(UnknownName, match="Did you mean 'psq'"):
        run("benchmark", "mteb", "sample", "-o", tmp_path / "results", "--system", "pqs")
