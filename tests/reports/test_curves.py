import ir_measures
import numpy as np
import pytest

from dragoman.reports.curves import RECALLS, language_shares, precision_recall, relevant_shares
from dragoman.text.collection import Collection
from dragoman.types import Hit, Ranking
from small_reports import JUDGMENTS, LANGUAGES, RIGHT, WRONG


def test_precision_is_that_of_trec_eval():
    judgments = Collection.open("sample").judgments()
    rng = np.random.default_rng(3)
    documents = sorted({doc_id for grades in judgments.values() for doc_id in grades})
    run = [
        Ranking(
            query,
            tuple(
                Hit(doc_id, 100.0 - rank)
                for rank, doc_id in enumerate(rng.choice(documents, 90, replace=False).tolist())
            ),
        )
        for query in judgments
    ]
    measures = [ir_measures.IPrec @ float(recall) for recall in RECALLS]
    qrels = {query: dict(grades) for query, grades in judgments.items()}
    scores = {one.query_id: {hit.doc_id: hit.score for hit in one.hits} for one in run}
    theirs = ir_measures.calc_aggregate(measures, qrels, scores)
    expected = [theirs[measure] for measure in measures]
    np.testing.assert_allclose(precision_recall(run, judgments), expected, atol=1e-4)


def test_a_perfect_run_has_precision_one():
    assert precision_recall(RIGHT, JUDGMENTS).tolist() == [1.0] * 11
    assert np.all(precision_recall(WRONG, JUDGMENTS) < 1)


def test_missing_queries_count_as_zero():
    assert precision_recall(RIGHT[:6], JUDGMENTS) == pytest.approx(0.5)
    assert precision_recall([], {}).tolist() == [0.0] * 11


def test_shares_of_languages_by_rank():
    shares = language_shares(RIGHT, LANGUAGES, 3)
    assert shares["de"].tolist() == [1.0, 0.0, 1.0]
    assert shares["it"].tolist() == [0.0, 1.0, 0.0]
    assert sum(language_shares(RIGHT, {}, 2)[""]) == 2


def test_each_query_counts_once_in_the_shares_of_relevant_documents():
    judgments = {"q1": {"a": 1, "b": 2}, "q2": {"c": 1, "d": 0}, "q3": {"d": 0}}
    languages = {"a": "de", "b": "it", "c": "de", "d": "fr"}
    assert relevant_shares(judgments, languages) == {"de": 0.75, "it": 0.25}
    assert relevant_shares({}, {}) == {}
