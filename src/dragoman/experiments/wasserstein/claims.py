"""Rows of Table 2 -> the paper's claims, tested by the reciprocal ranks of all directions.

A claim compares every row with a choice (transport, entropic, idf, the OOV protocol) with the row
that differs in this choice alone; the rows of a direction are averaged query by query.
"""

from collections.abc import Callable, Sequence

import numpy as np

from dragoman.experiments.claims import Claim, ClaimedGain, evaluate_claims
from dragoman.experiments.wasserstein.runs import REPAIRED, SHARED, RankRun

SectionAndLabel = tuple[str, str]
Baseline = Callable[[str, str], SectionAndLabel | None]  # of a row: the row without the choice


def _without_transport(section: str, label: str) -> SectionAndLabel | None:
    return (section, label.replace("Wass", "nBOW")) if label.startswith("Wass") else None


def _without_entropy(section: str, label: str) -> SectionAndLabel | None:
    return (section, label.removeprefix("Entro_")) if label.startswith("Entro_") else None


def _without_idf(section: str, label: str) -> SectionAndLabel | None:
    return (section, label.replace("idf", "tf")) if "Wass" in label and "idf" in label else None


def _without_oov(system: str) -> Baseline:
    def baseline(section: str, label: str) -> SectionAndLabel | None:
        changed = section == REPAIRED and system in label
        return (SHARED, label.removesuffix("+")) if changed else None

    return baseline


CLAIMS: tuple[tuple[str, Baseline], ...] = (
    ("Transport is above averages of word vectors", _without_transport),
    ("Entropic transport is above exact transport", _without_entropy),
    ("idf is above tf, for transport", _without_idf),
    ("The OOV protocol helps averages of word vectors", _without_oov("nBOW")),
    ("The OOV protocol helps transport", _without_oov("Wass")),
)


def wasserstein_claims(directions: Sequence[Sequence[RankRun]]) -> list[Claim]:
    """The claims that the measured rows can decide."""
    return evaluate_claims(_gain(text, directions, baseline) for text, baseline in CLAIMS)


def _gain(text: str, directions: Sequence[Sequence[RankRun]], baseline: Baseline) -> ClaimedGain:
    pairs = {}
    for rows in directions:
        by_row = {(run.system.section, run.system.label): 1 / run.ranks for run in rows}
        matched = {row: other for row in by_row if (other := baseline(*row)) in by_row}
        if matched:
            first = np.mean([by_row[row] for row in matched], axis=0)
            second = np.mean([by_row[row] for row in matched.values()], axis=0)
            pairs[rows[0].direction] = (first, second)
    return ClaimedGain(text, "MRR", pairs)
