import ir_measures
import numpy as np
import pandas as pd
import pyterrier as pt
import pytest

import dragoman
from dragoman.integrations.pyterrier.retrieval import Retriever
from dragoman.metrics.measurement import measure_run
from dragoman.metrics.parser import parse_measures
from dragoman.text.collection import Collection
from dragoman.text.files import Faults
from dragoman.text.formats.trec import write_run
from dragoman.text.source import read_run
from small_frames import TOPICS, sample_frames


def test_results_have_the_columns_of_pyterrier(artifact):
    found = artifact.retriever()(TOPICS)
    assert list(found.columns) == ["qid", "query", "language", "docno", "score", "rank"]
    first = found[found["rank"] == 0]
    assert dict(zip(first["qid"], first["docno"], strict=True)) == {"q1": "mkate", "q2": "tides"}


def test_a_search_of_one_query(artifact):
    found = artifact.retriever(within=["en"]).search("mkate wa unga")
    assert found["docno"][0] == "bread"


def test_no_queries_give_no_results(artifact):
    found = artifact.retriever()(pd.DataFrame(columns=["qid", "query"]))
    assert list(found.columns) == ["qid", "query", "docno", "score", "rank"]
    assert not len(found)


def test_a_cutoff_is_fused_into_the_search(artifact):
    compiled = (artifact.retriever() % 2).compile()
    assert isinstance(compiled, Retriever)
    assert compiled.num_results == 2
    assert compiled.fuse_rank_cutoff(10) is compiled
    assert compiled(TOPICS)["rank"].max() <= 1


def test_pyterrier_can_inspect_the_columns(artifact):
    retriever = artifact.retriever()
    assert pt.inspect.transformer_inputs(retriever) == [["qid", "query"]]
    outputs = pt.inspect.transformer_outputs(retriever, ["qid", "query"])
    assert outputs == ["qid", "query", "docno", "score", "rank"]


def test_a_frame_without_queries_is_refused(artifact):
    with pytest.raises(pt.validate.InputValidationError, match="query"):
        artifact.retriever()(pd.DataFrame({"docno": ["bread"]}))


# PyTerrier 1.1.2 calls pandas 3.1 with a keyword that will be removed
@pytest.mark.filterwarnings("ignore:The inplace keyword")
def test_results_are_combined_linearly(artifact):
    retriever = artifact.retriever()
    both = (retriever + 2 * retriever)(TOPICS).sort_values(["qid", "docno"])
    alone = retriever(TOPICS).sort_values(["qid", "docno"])
    np.testing.assert_allclose(both["score"], 3 * alone["score"], rtol=1e-6)


@pytest.fixture(scope="module")
def sample_index(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample") / "index"
    with dragoman.index(Collection.open("sample").documents(), folder, system="psq") as index:
        yield index


def test_values_of_an_experiment_are_those_of_evaluate(sample_index, tmp_path):
    topics, qrels = sample_frames()
    names = ("nDCG@10", "RR", "AP", "R@100")
    measures = [ir_measures.parse_measure(name) for name in names]
    theirs = pt.Experiment(
        [Retriever(sample_index)], topics, qrels, measures, names=["psq"], perquery=True
    )
    run = tmp_path / "run.trec"
    queries = Collection.open("sample").queries()
    write_run(run, sample_index.rank_all(queries, 1000))
    judgments = Collection.open("sample").judgments()
    ours = measure_run(
        "run", read_run(run, Faults()), judgments, parse_measures(" ".join(names))
    ).overall
    for name in names:
        rows = theirs[theirs["measure"] == name].set_index("qid")["value"]
        expected = [rows[query] for query in ours.query_ids]
        np.testing.assert_allclose(ours.values[name], expected, rtol=0, atol=1e-6)
