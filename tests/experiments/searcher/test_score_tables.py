"""Tables of scores give the outcomes that rankings give."""

import numpy as np

from dragoman.experiments.searcher.score_tables import (
    relevance_table,
    score_table,
    share_of_best,
    table_outcomes,
)
from dragoman.experiments.searcher.task import DetectionTask
from dragoman.metrics.outcomes import judge
from dragoman.types import Document, Hit, Query, Ranking

QUERIES = (Query("q", "a", "en"), Query("r", "b", "en"))
TASK = DetectionTask(
    name="toy",
    language="sw",
    documents=tuple(Document(doc_id, "x", language="sw") for doc_id in ("c", "a", "b")),
    english=("x", "x", "x"),
    development=QUERIES,
    test=(),
    judgments={"q": {"a": 1, "c": 1}, "r": {}},
    training=(),
)
SCORES = {"q": {"a": 2.0, "b": 2.0}, "r": {}}


def test_documents_that_were_not_retrieved_have_no_score():
    table = score_table(SCORES, QUERIES, TASK)
    assert table.tolist() == [[-np.inf, 2.0, 2.0], [-np.inf] * 3]
    assert relevance_table(QUERIES, TASK).tolist() == [[True, True, False], [False] * 3]


def test_outcomes_are_those_of_the_ranking():
    table = score_table(SCORES, QUERIES, TASK)
    ours = table_outcomes(table, relevance_table(QUERIES, TASK), TASK)[0]
    ranking = Ranking("q", (Hit("a", 2.0), Hit("b", 2.0)))
    theirs = judge(ranking, {"a": 1, "b": 0, "c": 1})
    assert ours.scores.tolist() == theirs.scores.tolist()
    assert ours.grades.tolist() == theirs.grades.tolist()
    assert ours.unretrieved.tolist() == theirs.unretrieved.tolist()


def test_shares_of_the_best_are_of_each_query():
    shares = share_of_best(np.array([[4.0, 1.0, -np.inf], [-np.inf] * 3, [-1.0, 0.0, -np.inf]]))
    assert shares.tolist() == [[1.0, 0.25, -np.inf], [-np.inf] * 3, [-np.inf] * 3]
