import pandas as pd
import pyterrier as pt
import pytest

from dragoman.encoders.models import UNIVERSAL
from dragoman.errors import ConfigError
from dragoman.integrations.pyterrier.reranking import TextReranker
from small_frames import DOCUMENTS, TOPICS

needs_encoder = pytest.mark.skipif(
    not UNIVERSAL.installed, reason="the default encoder is not installed"
)


def candidates(*doc_ids, **columns):
    rows = [{**TOPICS.iloc[0], "docno": one, "score": 0.0, "rank": 0} for one in doc_ids]
    return pd.DataFrame(rows).assign(**columns)


def test_the_system_of_the_index_ranks_candidates(artifact):
    found = artifact.reranker()(candidates("tides", "mkate"))
    assert list(found["docno"]) == ["mkate", "tides"]
    assert list(found["rank"]) == [0, 1]


def test_scores_are_those_of_the_search_within_a_language(artifact):
    search = artifact.retriever(within=["sw"], balance="off")(TOPICS[:1])
    again = artifact.reranker()(search)
    pd.testing.assert_frame_equal(again[["docno", "rank"]], search[["docno", "rank"]])
    assert again["score"].tolist() == pytest.approx(search["score"].tolist(), rel=1e-5)


def test_a_document_that_the_index_lacks_goes_last(artifact):
    found = artifact.reranker()(candidates("gone", "tides", "mkate"))
    assert list(found["docno"]) == ["mkate", "tides", "gone"]


def test_queries_stay_in_their_order(artifact):
    found = (artifact.retriever() >> artifact.reranker())(TOPICS)
    assert list(dict.fromkeys(found["qid"])) == ["q1", "q2"]


def test_no_candidates_give_no_results(artifact):
    empty = candidates("bread").iloc[:0]
    assert not len(artifact.reranker()(empty))
    assert pt.inspect.transformer_inputs(artifact.reranker()) == [["qid", "query", "docno"]]


@needs_encoder
def test_texts_are_ranked_without_an_index():
    texts = {one["docno"]: one["text"] for one in DOCUMENTS}
    frame = candidates("tides", "bread", text=[texts["tides"], texts["bread"]])
    found = TextReranker("dense", languages=["en", "sw"])(frame)
    assert list(found["docno"]) == ["bread", "tides"]


def test_a_system_that_weighs_by_statistics_needs_an_index():
    with pytest.raises(ConfigError, match="Re-rank by an index instead"):
        TextReranker("bm25")
