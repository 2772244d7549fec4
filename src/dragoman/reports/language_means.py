"""Measured runs -> the means of one measure by language of the queries, or of the documents."""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from dragoman.metrics.outcomes import RunMeasure
from dragoman.metrics.pairs import UNKNOWN
from dragoman.metrics.report import Estimate, Report, RunReport, estimate
from dragoman.types import FloatArray

GroupMeans = Mapping[str, Mapping[str, Estimate]]  # by group, then by run


def by_query_language(
    report: Report, languages: Mapping[str, str], measure: RunMeasure, rng: np.random.Generator
) -> GroupMeans:
    """Means over the queries of each language, with documents of all languages ranked."""

    def values(run: RunReport) -> dict[str, list[float]]:
        grouped: dict[str, list[float]] = {}
        ours = run.by_query
        for query_id, value in zip(ours.query_ids, ours.values[measure.name], strict=True):
            grouped.setdefault(languages.get(query_id) or UNKNOWN, []).append(float(value))
        return grouped

    return _means(report.runs, values, measure, rng)


def by_document_language(
    report: Report, measure: RunMeasure, rng: np.random.Generator
) -> GroupMeans:
    """Means over queries of all languages, with the documents of one language ranked alone."""

    def values(run: RunReport) -> dict[str, FloatArray]:
        grouped: dict[str, list[FloatArray]] = {}
        for pair, group in run.by_pair.items():
            grouped.setdefault(pair.partition("-")[2], []).append(group.values[measure.name])
        return {code: np.concatenate(parts) for code, parts in grouped.items()}

    return _means(report.runs, values, measure, rng)


def _means(
    runs: Iterable[RunReport],
    values: Callable[[RunReport], Mapping[str, Sequence[float] | FloatArray]],
    measure: RunMeasure,
    rng: np.random.Generator,
) -> GroupMeans:
    means: dict[str, dict[str, Estimate]] = {}
    for run in runs:
        for code, grouped in sorted(values(run).items()):
            mean = estimate(np.asarray(grouped, dtype=np.float64), measure.bounds, rng)
            means.setdefault(code, {})[run.run] = mean
    return dict(sorted(means.items()))
