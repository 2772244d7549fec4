import numpy as np
import pytest
from hypothesis import given, settings

from dragoman.errors import UserError
from dragoman.metrics.outcomes import UNJUDGED, judge
from dragoman.types import Hit, Ranking
from outcome_strategies import judged, rankings


def test_an_outcome_keeps_order_grades_and_what_was_not_found():
    ranking = Ranking("q", (Hit("a", 3.0), Hit("x", 2.0), Hit("b", 2.0)))
    outcome = judge(ranking, {"b": 2, "a": 0, "c": 1})
    assert outcome.scores.tolist() == [3.0, 2.0, 2.0]
    assert outcome.grades.tolist() == [0, UNJUDGED, 2]
    assert outcome.unretrieved.tolist() == [1]
    assert outcome.relevant(1) == 2
    assert outcome.relevant(2) == 1


@settings(max_examples=100, deadline=None)
@given(rankings(), judged())
def test_every_judged_document_is_counted_once(ranking, grades):
    outcome = judge(ranking, grades)
    seen = [*outcome.grades[outcome.grades != UNJUDGED], *outcome.unretrieved]
    assert sorted(seen) == sorted(grades.values())
    assert len(outcome.scores) == len(outcome.grades) == len(ranking.hits)


def test_a_document_that_is_ranked_twice_is_refused():
    with pytest.raises(UserError, match="'q' ranks document 'a' more than once"):
        judge(Ranking("q", (Hit("a", 2.0), Hit("b", 1.5), Hit("a", 1.0))), {})


def test_a_score_that_is_not_a_number_is_refused():
    with pytest.raises(UserError, match="the score of document 'b' is not a number"):
        judge(Ranking("q", (Hit("a", 2.0), Hit("b", np.nan))), {})
