"""Two small runs, their judgments and their report."""

import numpy as np

from dragoman.metrics.parser import parse_measures
from dragoman.metrics.report import Report, evaluate
from dragoman.types import Hit, Ranking

QUERIES = [f"q{number:02}" for number in range(12)]
JUDGMENTS = {
    query: {f"{query}-good": 2, f"{query}-fair": 1, f"{query}-bad": 0} for query in QUERIES
}
LANGUAGES = {
    f"{query}-{grade}": language
    for query in QUERIES
    for grade, language in (("good", "de"), ("fair", "it"), ("bad", "de"))
}


def ranking(query: str, *grades: str) -> Ranking:
    """The documents of a query, named by their grades, best first."""
    hits = [Hit(f"{query}-{grade}", 1.0 - rank / 10) for rank, grade in enumerate(grades)]
    return Ranking(query, tuple(hits))


RIGHT = [ranking(query, "good", "fair", "bad") for query in QUERIES]
WRONG = [ranking(query, "bad", "fair", "good") for query in QUERIES]


def report(measures: str = "nDCG@10 RR", **runs: list[Ranking]) -> Report:
    """The report of both runs, or of the given ones, by language pair."""
    return evaluate(
        runs or {"right": RIGHT, "wrong": WRONG},
        JUDGMENTS,
        parse_measures(measures),
        rng=np.random.default_rng(7),
        query_languages=dict.fromkeys(QUERIES, "en"),
        document_languages=LANGUAGES,
        seed=7,
    )
