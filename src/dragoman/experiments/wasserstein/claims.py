"""Rows of Table 2 -> the paper's claims, tested by the reciprocal ranks of all directions.

A claim compares every row with a choice (transport, entropic, idf, the OOV protocol) with the row
that differs in this choice alone; the rows of a direction are averaged query by query. The paper's
best row is also compared with its strongest kinds of baselines.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from dragoman.experiments.claims import Claim, ClaimedGain, evaluate_claims
from dragoman.experiments.wasserstein.published import published
from dragoman.experiments.wasserstein.runs import REPAIRED, SHARED, TOPICS, TRANSLATED, RankRun

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


def _without_shared_vectors(section: str, label: str) -> SectionAndLabel | None:
    return (TRANSLATED, label) if section == SHARED and "Wass" in label else None


def _best_against(section: str, label: str) -> Baseline:
    def baseline(mine: str, row: str) -> SectionAndLabel | None:
        return (section, label) if (mine, row) == (REPAIRED, BEST) else None

    return baseline


BEST = "Entro_Wass idf+"
# rows that read all words, those without a vector too
AGAINST_BASELINES: tuple[tuple[str, Baseline], ...] = (
    (f"{BEST} is above BiLDA", _best_against(TOPICS, "BiLDA")),
    (f"{BEST} is above the translated idf baseline", _best_against(TRANSLATED, "idf")),
)
CLAIMS: tuple[tuple[str, Baseline], ...] = (
    ("Transport is above averages of word vectors", _without_transport),
    *AGAINST_BASELINES,
    ("Entropic transport is above exact transport", _without_entropy),
    ("idf is above tf, for transport", _without_idf),
    ("Shared vectors are above translated queries, for transport", _without_shared_vectors),
    ("The OOV protocol helps transport", _without_oov("Wass")),
)
EXTENSIONS: tuple[tuple[str, Baseline], ...] = (
    ("The OOV protocol helps averages of word vectors", _without_oov("nBOW")),
)


def wasserstein_claims(
    directions: Sequence[Sequence[RankRun]], *, known_words: bool = True
) -> list[Claim]:
    """The claims that the measured rows can decide.

    Where words were left without a vector on purpose (``known_words`` is False), rows with vectors
    are not compared with baselines that read all words.
    """
    claims = [one for one in CLAIMS if known_words or one not in AGAINST_BASELINES]
    kinds = ((claims, False), (EXTENSIONS, True))
    return evaluate_claims(
        replace(_gain(text, directions, baseline), extension=extension)
        for some, extension in kinds
        for text, baseline in some
    )


def _gain(text: str, directions: Sequence[Sequence[RankRun]], baseline: Baseline) -> ClaimedGain:
    pairs, printed = {}, []
    for rows in directions:
        by_row = {(run.system.section, run.system.label): run for run in rows}
        matched = [
            (run, by_row[other])
            for row, run in by_row.items()
            if (other := baseline(*row)) in by_row
        ]
        if matched:
            first, second = (
                np.mean([1 / run.ranks for run in side], axis=0)
                for side in zip(*matched, strict=True)
            )
            pairs[rows[0].direction] = (first, second)
            printed += [(published(run), published(other)) for run, other in matched]
    return ClaimedGain(text, "MRR", pairs, paper=_mean_difference(printed))


def _mean_difference(pairs: Sequence[tuple[float | None, float | None]]) -> float | None:
    """Over the pairs that have two values; None where no pair has."""
    known = [one - other for one, other in pairs if one is not None and other is not None]
    return float(np.mean(known)) if known else None
