"""Measured runs -> all pictures of a report, by their captions."""

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from dragoman.metrics.outcomes import RunMeasure
from dragoman.metrics.report import Report, paired_values
from dragoman.reports import pictures
from dragoman.reports.curves import language_shares, precision_recall, relevant_shares
from dragoman.reports.language_means import by_document_language, by_query_language
from dragoman.types import Judgments, Ranking

DEPTH = 50  # ranks whose languages are shown
FILES = ".pdf"  # which LaTeX includes

Rankings = Mapping[str, Callable[[], Iterable[Ranking]]]  # by run; read again at each call


def draw_runs(
    report: Report,
    rankings: Rankings,
    judgments: Judgments,
    measure: RunMeasure,
    *,
    query_languages: Mapping[str, str],
    document_languages: Mapping[str, str],
    rng: np.random.Generator,
) -> dict[str, Figure]:
    """Differences by query and precision by recall; with languages also means and ranks by them.

    The first run is compared with the others. Groups are shown where there are several.
    """
    drawn = {}
    head, *others = report.runs
    for other in others:
        both = paired_values(head.by_query, other.by_query, measure.name)
        caption = f"{measure.name} of {head.run} minus {other.run}, by query"
        drawn[caption] = pictures.differences(*both, (head.run, other.run), measure.name)
    curves = {name: precision_recall(read(), judgments) for name, read in rankings.items()}
    drawn["precision by recall"] = pictures.precision_recall_curves(curves)
    if document_languages:
        means = {
            "queries": by_query_language(report, query_languages, measure, rng),
            "documents": by_document_language(report, measure, rng),
        }
        for kind, groups in means.items():
            if len(groups) > 1:
                caption = f"{measure.name} by language of the {kind}"
                drawn[caption] = pictures.group_means(groups, measure.name)
        drawn |= _pairs(report, measure.name)
        drawn |= _languages_by_rank(rankings, judgments, document_languages)
    return drawn


def _pairs(report: Report, measure: str) -> dict[str, Figure]:
    return {
        f"{measure} of {run.run} by language pair": pictures.pair_matrix(
            {pair: means[measure].mean for pair, means in run.pairs.items()}, measure, run.run
        )
        for run in report.runs
        if len(run.pairs) > 1
    }


def _languages_by_rank(
    rankings: Rankings, judgments: Judgments, languages: Mapping[str, str]
) -> dict[str, Figure]:
    relevant = relevant_shares(judgments, languages)
    shares = {name: language_shares(read(), languages, DEPTH) for name, read in rankings.items()}
    return {
        f"languages of the documents of {name}, by rank": pictures.languages_by_rank(
            mine, name, relevant
        )
        for name, mine in shares.items()
        if mine
    }


def save_all(drawn: Mapping[str, Figure], folder: Path) -> list[Path]:
    """Write every picture under its caption."""
    written = []
    for caption, figure in drawn.items():
        path = folder / (re.sub(r"[^\w]+", "-", caption).strip("-") + FILES)
        pictures.save(figure, path)
        written.append(path)
    return written
