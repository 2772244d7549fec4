"""Runs and judgments -> a report: means with confidence intervals, language pairs, paired tests.

Rankings stream: each becomes an outcome, is measured and discarded; only measures that pool all
queries (AQWV, MQWV, pooled AUC) retain the scores. Nothing is left out silently: queries and
documents that do not match are counted and named, and a judged query that a run lacks counts as 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isnan
from typing import Any

import numpy as np

import dragoman
from dragoman.errors import ConfigError
from dragoman.metrics.bias import expect_languages
from dragoman.metrics.detection import expect_size
from dragoman.metrics.measurement import Mismatch, QueryValues, measure_run
from dragoman.metrics.outcomes import RunMeasure
from dragoman.metrics.pairs import LanguagePairs
from dragoman.metrics.significance import (
    BOOTSTRAP_DRAWS,
    PERMUTATION_DRAWS,
    bootstrap_interval,
    holm,
    permutation_test,
    student_test,
)
from dragoman.protocols import Advance, no_progress
from dragoman.text.fingerprints import fingerprint_judgments
from dragoman.types import FloatArray, Judgments, Ranking


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean over queries and its 95 % confidence interval; NaN where no query is defined."""

    mean: float
    low: float
    high: float
    queries: int


@dataclass(frozen=True, slots=True)
class RunReport:
    """The measures of one run, over all queries and within each language pair."""

    run: str
    measures: Mapping[str, Estimate]
    pairs: Mapping[str, Mapping[str, Estimate]]
    mismatches: tuple[Mismatch, ...]
    thresholds: Mapping[str, float]  # of measures that choose one: the best for all queries
    by_query: QueryValues = field(compare=False)  # what the means are of
    by_pair: Mapping[str, QueryValues] = field(compare=False)  # the same within each pair


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs on the queries for which the measure is defined in both; p-values two-sided."""

    measure: str
    first: str
    second: str
    difference: float  # mean of first minus mean of second
    queries: int
    student: float
    student_holm: float
    randomisation: float
    randomisation_holm: float


@dataclass(frozen=True, slots=True)
class ReportSettings:
    """What must be equal for two reports to be comparable."""

    version: str
    judgments: str  # their fingerprint
    queries: int  # judged ones
    seed: int | None  # None where the caller's generator is not known
    confidence: float = 0.95
    bootstrap_draws: int = BOOTSTRAP_DRAWS
    permutation_draws: int = PERMUTATION_DRAWS
    correction: str = "Holm"


@dataclass(frozen=True, slots=True)
class Report:
    """The measures of all runs, the tests between them, and how both were computed."""

    runs: tuple[RunReport, ...]
    tests: tuple[Comparison, ...]
    settings: ReportSettings

    def as_json(self, *, by_query: bool = False) -> dict[str, Any]:
        """The report as plain values, with those of every query if wanted; NaN becomes null."""
        return {
            "runs": [
                {
                    "run": run.run,
                    "measures": _plain(run.measures),
                    "pairs": {pair: _plain(mine) for pair, mine in run.pairs.items()},
                    **({"queries": _query_values(run.by_query)} if by_query else {}),
                }
                for run in self.runs
            ],
            "tests": [_fields(test) for test in self.tests],
            "settings": _fields(self.settings),
        }


def evaluate(
    runs: Mapping[str, Iterable[Ranking]],
    judgments: Judgments,
    measures: Sequence[RunMeasure],
    *,
    rng: np.random.Generator,
    query_languages: Mapping[str, str] | None = None,
    document_languages: Mapping[str, str] | None = None,
    collection_size: int | None = None,
    seed: int | None = None,
    advance: Advance = no_progress,
) -> Report:
    """Each run by each measure, and tests of the differences between runs.

    ``document_languages`` maps every document of the collection to its language; with it the report
    has a section for each language pair, in which AQWV takes the number of documents of that
    language for the size of the collection. The same ``rng`` state gives the same report; ``seed``
    is recorded as where it began.
    """
    if not runs or not measures:
        raise ConfigError("There is nothing to evaluate: give at least one run and one measure")
    if collection_size is None and document_languages is not None:
        collection_size = len(document_languages)
    expect_size(measures, collection_size)
    expect_languages(measures, known=document_languages is not None)
    measured = {}
    for name, rankings in runs.items():
        pairs = None
        if document_languages is not None:
            pairs = LanguagePairs(query_languages or {}, document_languages)
        measured[name] = measure_run(
            name,
            rankings,
            judgments,
            measures,
            pairs=pairs,
            collection_size=collection_size,
            advance=advance,
        )
    reports = [
        RunReport(
            name,
            _estimates(run.overall, measures, rng),
            {pair: _estimates(group, measures, rng) for pair, group in sorted(run.pairs.items())},
            run.mismatches,
            run.thresholds,
            run.overall,
            run.pairs,
        )
        for name, run in measured.items()
    ]
    tests = _compare({name: run.overall for name, run in measured.items()}, measures, rng)
    settings = ReportSettings(
        dragoman.__version__, fingerprint_judgments(judgments), len(judgments), seed
    )
    return Report(tuple(reports), tests, settings)


def _estimates(
    group: QueryValues, measures: Sequence[RunMeasure], rng: np.random.Generator
) -> dict[str, Estimate]:
    return {m.name: estimate(group.values[m.name], m.bounds, rng) for m in measures}


def estimate(values: FloatArray, bounds: tuple[float, float], rng: np.random.Generator) -> Estimate:
    """The mean of the defined values; an interval never leaves the bounds."""
    defined = values[~np.isnan(values)]
    if not len(defined):
        return Estimate(float("nan"), float("nan"), float("nan"), 0)
    interval = bootstrap_interval(defined, rng)
    low, high = np.clip([interval.low, interval.high], *bounds)
    return Estimate(float(defined.mean()), float(low), float(high), len(defined))


def _compare(
    groups: Mapping[str, QueryValues], measures: Sequence[RunMeasure], rng: np.random.Generator
) -> tuple[Comparison, ...]:
    """Every pair of runs by every measure; the p-values are corrected together."""
    compared = [(m.name, a, b) for a, b in combinations(groups, 2) for m in measures]
    paired = [paired_values(groups[a], groups[b], measure) for measure, a, b in compared]
    student = [student_test(x, y) for x, y in paired]
    permuted = [permutation_test(x, y, rng) for x, y in paired]
    student_holm, permuted_holm = holm(student), holm(permuted)
    return tuple(
        Comparison(
            measure=measure,
            first=a,
            second=b,
            difference=float((x - y).mean()) if len(x) else float("nan"),
            queries=len(x),
            student=student[row],
            student_holm=student_holm[row],
            randomisation=permuted[row],
            randomisation_holm=permuted_holm[row],
        )
        for row, ((measure, a, b), (x, y)) in enumerate(zip(compared, paired, strict=True))
    )


def paired_values(
    first: QueryValues, second: QueryValues, measure: str
) -> tuple[FloatArray, FloatArray]:
    """Both runs' values query by query, where both are defined.

    Every run has a value for every judged query, so sorting by query id pairs them.
    """
    x = first.values[measure][np.argsort(first.query_ids)]
    y = second.values[measure][np.argsort(second.query_ids)]
    defined = ~(np.isnan(x) | np.isnan(y))
    return x[defined], y[defined]


def _plain(estimates: Mapping[str, Estimate]) -> dict[str, dict[str, Any]]:
    return {name: _fields(estimate) for name, estimate in estimates.items()}


def _query_values(group: QueryValues) -> dict[str, dict[str, float | None]]:
    return {
        query_id: {
            name: None if isnan(values[row]) else float(values[row])
            for name, values in group.values.items()
        }
        for row, query_id in enumerate(group.query_ids)
    }


def _fields(value: Estimate | Comparison | ReportSettings) -> dict[str, Any]:
    fields = {name: getattr(value, name) for name in type(value).__slots__}
    undefined = {
        name for name, field in fields.items() if isinstance(field, float) and isnan(field)
    }
    return fields | dict.fromkeys(undefined)
