import pytest

import dragoman
from dragoman.errors import UnknownName
from dragoman.metrics.measurement import measure_run
from dragoman.metrics.parser import parse_measures
from dragoman.reports.losses import explain_loss, find_losses, shown_links
from dragoman.types import Document, Hit, Query, Ranking
from small_reports import JUDGMENTS, RIGHT, WRONG, report


def by_id(run):
    return {ranking.query_id: ranking for ranking in run}


def losses(number=3, run=WRONG, measure="nDCG@10"):
    both = report(first=run, second=RIGHT)
    values = both.runs[0].by_query, both.runs[1].by_query
    return find_losses(*values, measure, (by_id(run), by_id(RIGHT)), JUDGMENTS, number)


def test_the_largest_losses_come_first():
    run = [*RIGHT[:5], WRONG[5], *RIGHT[6:8]]  # four queries are missing, one is worse
    found = losses(10, run)
    assert [loss.query_id for loss in found] == ["q08", "q09", "q10", "q11", "q05"]
    assert found[0].first == 0
    assert found[0].difference == 1
    assert 0 < found[-1].difference < 1


def test_documents_that_lost_most_gain_come_first():
    (loss,) = losses(1)
    good, fair = loss.documents
    assert (good.doc_id, good.first_rank, good.second_rank) == ("q00-good", 3, 1)
    assert (fair.first_rank, fair.second_rank) == (2, 2)


def test_ranks_at_the_top_weigh_more_than_many_below():
    """From rank 3 to 1 is half of the gain; from 90 to 40 is nearly nothing."""
    judged = {"q": {"near": 1, "far": 1}}
    filler = [f"d{number:02}" for number in range(100)]

    def ranked(near, far):
        order = list(filler)
        order[near - 1], order[far - 1] = "near", "far"
        return {"q": Ranking("q", tuple(Hit(one, -float(i)) for i, one in enumerate(order)))}

    runs = ranked(3, 90), ranked(1, 40)
    values = [
        measure_run("run", run.values(), judged, parse_measures("nDCG@10")).overall for run in runs
    ]
    (loss,) = find_losses(*values, "nDCG@10", runs, judged, 1)
    assert [one.doc_id for one in loss.documents] == ["near", "far"]
    assert (loss.top, loss.top_grade, loss.shown_top) == ("d00", None, "d00 (not judged)")


def test_the_document_that_the_losing_run_ranks_first_is_named():
    (loss,) = losses(1)
    assert loss.shown_top == "q00-bad (grade 0)"
    missing = losses(1, RIGHT[1:])
    assert missing[0].shown_top == "nothing"


def test_nothing_is_lost_by_the_same_run():
    assert losses(run=RIGHT) == []


def test_a_measure_that_was_not_computed_is_refused():
    with pytest.raises(UnknownName, match="AP"):
        losses(measure="AP")


def test_the_document_is_explained_by_each_index(tmp_path):
    (loss,) = losses(1)
    texts = [Document("q00-good", "bread from flour", language="en")]
    with dragoman.index(texts, tmp_path / "index", system="psq") as index:
        first, second = explain_loss(loss, Query("q00", "mkate", "sw"), [index, None])
        assert shown_links(first)[0].startswith("mkate = bread")
        assert second is None
        assert shown_links(second) == []
    assert explain_loss(loss, Query("q00", "mkate"), []) == []
