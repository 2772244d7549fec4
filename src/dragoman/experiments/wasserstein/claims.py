"""What the measured rows of Table 2 say, in sentences: who is best, and which choice helps.

A choice (entropic or exact, idf or tf, with or without the OOV protocol) is compared row by row, on
the same questions: paired random exchange, Holm's correction over all comparisons of the choice.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from dragoman.experiments.wasserstein.experiment import REPAIRED, SHARED, Found
from dragoman.metrics.significance import holm, randomisation_test

SURE = 0.05

Row = tuple[str, str]  # section and label
Choice = Callable[[Row], Row | None]


class Compared(NamedTuple):
    """Two rows on the same questions."""

    direction: str
    gain: float  # of the mean reciprocal rank
    chance: float  # corrected


def verdicts(directions: Sequence[Sequence[Found]]) -> Iterator[str]:
    """One sentence for each question that the paper asks of its table."""
    yield _best(directions)
    for title, subject, other in (
        ("Transport against averages", "transport", _from_averages),
        ("Entropic against exact", "entropic transport", _from_exact),
        ("idf against tf, for transport", "idf", _from_tf),
        ("With the OOV protocol against without, for averages", "it", _from_unrepaired_averages),
        ("With the OOV protocol against without, for transport", "it", _from_unrepaired),
    ):
        if compared := _compared(directions, other):
            yield _said(title, subject, compared)
    yield _gains(_compared(directions, _from_unrepaired))


def _best(directions: Sequence[Sequence[Found]]) -> str:
    told = []
    for rows in directions:
        best = max(rows, key=lambda found: found.reciprocal_rank)
        where = best.contestant.section.removeprefix("Systems that rely on ")
        label = f"{best.contestant.label} ({where})"
        told.append(f"{_direction(best)} {label} {best.reciprocal_rank:.3f}")
    return f"Best: {'; '.join(told)}."


def _said(title: str, subject: str, compared: Sequence[Compared]) -> str:
    gains = [one.gain for one in compared]
    above, below = sum(gain > 0 for gain in gains), sum(gain < 0 for gain in gains)
    sure = [one.gain for one in compared if one.chance < SURE]
    return (
        f"{title}: {subject} is above in {above} and below in {below} of {len(compared)}"
        f" comparisons, beyond chance (p < {SURE:g}, corrected) in {sum(g > 0 for g in sure)} and"
        f" {sum(g < 0 for g in sure)}; mean difference {np.mean(gains):+.3f}."
    )


def _gains(repaired: Sequence[Compared]) -> str:
    gains = ", ".join(
        f"{name} {np.mean([one.gain for one in repaired if one.direction == name]):+.3f}"
        for name in dict.fromkeys(one.direction for one in repaired)
    )
    return f"What the OOV protocol adds to transport, by direction: {gains}."


def _compared(directions: Sequence[Sequence[Found]], other: Choice) -> list[Compared]:
    """Every row that the choice can be undone for, beside the row where it is."""
    pairs: list[tuple[Found, Found]] = []
    for rows in directions:
        by_row = {(found.contestant.section, found.contestant.label): found for found in rows}
        for row, found in by_row.items():
            if (beside := other(row)) in by_row and beside is not None:
                pairs.append((found, by_row[beside]))
    rng = np.random.default_rng(0)
    chances = holm([randomisation_test(1 / one.ranks, 1 / two.ranks, rng) for one, two in pairs])
    return [
        Compared(_direction(one), one.reciprocal_rank - two.reciprocal_rank, chance)
        for (one, two), chance in zip(pairs, chances, strict=True)
    ]


def _from_averages(row: Row) -> Row | None:
    section, label = row
    return (section, label.replace("Wass", "nBOW")) if label.startswith("Wass") else None


def _from_exact(row: Row) -> Row | None:
    section, label = row
    return (section, label.removeprefix("Entro_")) if label.startswith("Entro_") else None


def _from_tf(row: Row) -> Row | None:
    section, label = row
    chosen = "Wass" in label and "idf" in label
    return (section, label.replace("idf", "tf")) if chosen else None


def _from_unrepaired(row: Row) -> Row | None:
    section, label = row
    return (SHARED, label.removesuffix("+")) if section == REPAIRED and "Wass" in label else None


def _from_unrepaired_averages(row: Row) -> Row | None:
    section, label = row
    return (SHARED, label.removesuffix("+")) if section == REPAIRED and "nBOW" in label else None


def _direction(found: Found) -> str:
    return f"{found.asked}-{found.searched}"
