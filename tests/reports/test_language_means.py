import numpy as np
import pytest

from dragoman.metrics.parser import parse_measures
from dragoman.reports.language_means import by_document_language, by_query_language
from small_reports import QUERIES, RIGHT, WRONG, report

(RR,) = parse_measures("RR")


@pytest.fixture
def rng():
    return np.random.default_rng(3)


def test_queries_are_grouped_by_their_language(rng):
    languages = {query: "sw" if query < "q03" else "" for query in QUERIES}
    mixed = report(mixed=[*WRONG[:3], *RIGHT[3:]])
    means = by_query_language(mixed, languages, RR, rng)
    assert list(means) == ["sw", "und"]
    assert (means["sw"]["mixed"].mean, means["sw"]["mixed"].queries) == (0.5, 3)
    assert (means["und"]["mixed"].mean, means["und"]["mixed"].queries) == (1.0, 9)


def test_documents_of_one_language_are_ranked_alone(rng):
    means = by_document_language(report(), RR, rng)
    assert means["it"]["wrong"].mean == 1.0  # the only Italian document
    assert means["de"]["wrong"].mean == 0.5  # below the one that is not relevant
    assert means["de"]["right"].mean == 1.0
    assert means["de"]["wrong"].low <= 0.5 <= means["de"]["wrong"].high
