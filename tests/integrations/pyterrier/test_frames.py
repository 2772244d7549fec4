import numpy as np
import pandas as pd

from dragoman.integrations.pyterrier.frames import queries_of, ranked_anew, results
from dragoman.types import Hit, Query


def test_a_language_of_its_own_comes_first():
    frame = pd.DataFrame({"qid": [1, 2], "query": ["a", "b"], "language": ["deu", None]})
    assert list(queries_of(frame, "fr")) == [Query("1", "a", "de"), Query("2", "b", "fr")]


def test_columns_of_a_query_stay_with_its_hits():
    frame = pd.DataFrame({"qid": ["a", "b"], "query": ["x", "y"], "topic": [1, 2], "rank": [0, 0]})
    found = results(frame, [[Hit("d", 1.0), Hit("e", 1.0)], []])
    assert list(found["topic"]) == [1, 1]
    assert list(found["rank"]) == [0, 1]
    assert found["score"][0] > found["score"][1]


def test_rows_without_a_score_go_last():
    frame = pd.DataFrame({"qid": ["q"] * 3, "docno": ["a", "b", "c"]})
    found = ranked_anew(frame, np.array([np.nan, 1.0, 2.0]))
    assert list(found["docno"]) == ["c", "b", "a"]
    assert found["score"].is_monotonic_decreasing
