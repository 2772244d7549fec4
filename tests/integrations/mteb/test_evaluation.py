"""A whole evaluation by the real package, on a task made from the sample."""

import json

import numpy as np
import pytest
from mteb._evaluators.retrieval_metrics import calculate_retrieval_scores
from mteb.results import TaskResult

from dragoman.integrations.mteb.collection_task import collection_task
from dragoman.integrations.mteb.evaluation import evaluate_tasks
from dragoman.integrations.mteb.search_model import SearchModel
from dragoman.metrics.measurement import measure_run
from dragoman.metrics.parser import parse_measures
from dragoman.runs.metadata import metadata_path, read_metadata
from dragoman.storage.digests import file_sha256
from dragoman.text.collection import Collection
from dragoman.text.files import Faults
from dragoman.text.source import read_run

MEASURES = {
    "nDCG@10": "ndcg_cut_10",
    "nDCG@20": "ndcg_cut_20",
    "AP@1000": "map_cut_1000",
    "R@100": "recall_100",
    "P@5": "P_5",
    "Success@3": "success_3",
}


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mteb")
    with SearchModel("psq") as model:
        scores = evaluate_tasks(model, [collection_task("sample")], folder)
    return folder, scores


def test_mteb_writes_its_own_result_files(evaluated):
    folder, (score,) = evaluated
    (path,) = folder.glob("results/dragoman__psq/*/sampleRetrieval.json")
    result = TaskResult.from_disk(path)
    assert result.get_score() == score.score
    assert score.measure == "ndcg_at_10"
    meta = json.loads((path.parent / "model_meta.json").read_text())
    assert meta["name"] == "dragoman/psq"
    assert "swa-Latn" in meta["languages"]


def test_values_of_mteb_are_those_of_evaluate(evaluated):
    folder, (score,) = evaluated
    (predictions,) = folder.glob("predictions/dragoman__psq/*/*.json")
    (run,) = folder.glob("runs/dragoman__psq/*/*.trec")
    judgments = Collection.open("sample").judgments()
    theirs = calculate_retrieval_scores(
        json.loads(predictions.read_text())["default"]["test"],
        {query: dict(grades) for query, grades in judgments.items()},
        [1, 3, 5, 10, 20, 100, 1000],
    ).all_scores
    ours = measure_run(
        "run", read_run(run, Faults()), judgments, parse_measures(" ".join(MEASURES))
    ).overall
    for name, key in MEASURES.items():
        expected = [theirs[query][key] for query in ours.query_ids]
        np.testing.assert_allclose(ours.values[name], expected, rtol=0, atol=1e-6)
    assert score.score == round(float(ours.values["nDCG@10"].mean()), 5)


def test_a_run_has_the_metadata_of_its_task(evaluated):
    folder, _ = evaluated
    (run,) = folder.glob("runs/dragoman__psq/*/*.trec")
    metadata = read_metadata(metadata_path(run))
    collection = metadata["data"]["test collection"]
    assert (collection["name"], collection["split"]) == ("sampleRetrieval", "test")
    assert metadata["signature"]["dataset"]["revision"] == collection["revision"]
    assert metadata["signature"]["run"]["sha256"] == file_sha256(run)
    assert metadata["method"]["retrieval"][0]["name"] == "dragoman/psq"


def test_systems_of_one_folder_keep_their_own_runs(evaluated):
    folder, scores = evaluated
    (run,) = folder.glob("runs/dragoman__psq/*/*.trec")
    before = run.read_text()
    with SearchModel("bm25") as model:
        (other,) = evaluate_tasks(model, [collection_task("sample")], folder)
    assert other.score < scores[0].score
    with SearchModel("psq") as model:
        assert evaluate_tasks(model, [collection_task("sample")], folder) == scores
    assert run.read_text() == before
    (words,) = folder.glob("runs/dragoman__bm25/*/*.trec")
    assert words.read_text() != before


def test_a_second_evaluation_reads_the_results_of_the_first(evaluated):
    folder, scores = evaluated

    class Refusing(SearchModel):
        def index(self, *args, **options):
            raise AssertionError("indexed again")

    with Refusing("psq") as model:
        assert evaluate_tasks(model, [collection_task("sample")], folder) == scores
