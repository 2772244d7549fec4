"""Results of trainings -> why they are as they are, in numbers: for the page of results.

Who is ahead of whom; where the scores of every grade ended and which grades still move the model;
how validation went from epoch to epoch.
"""

from collections.abc import Mapping

from dragoman.experiments.smooth.runs import Result
from dragoman.experiments.smooth.tables import STAR, Table
from dragoman.systems.smooth.judging import MEASURES
from dragoman.systems.smooth.learning import VALIDATED_BY

DECISIVE = ("P(rel=2)@1", "nDCG@5", "AP")


def differences(table: Table) -> list[str]:
    """The first row minus each other one, and in words which of them it is ahead of."""
    first, *others = table.rows
    lines = [
        f"| {first} minus | {' | '.join(DECISIVE)} |",
        f"|---|{'---:|' * len(DECISIVE)}",
    ]
    ahead = []
    for name in others:
        gaps = [_gap(table, name, measure) for measure in DECISIVE]
        shown = (f"{gap:+.3f}{STAR if clear else ''}" for gap, clear in gaps)
        lines.append(f"| {name} | {' | '.join(shown)} |")
        if all(clear and gap > 0 for gap, clear in gaps):
            ahead.append(name)
    rest = [name for name in others if name not in ahead]
    verdict = f"{first} is clearly ahead on all three of: {', '.join(ahead) or 'nothing'}."
    return [*lines, "", verdict + (f" Not so of: {', '.join(rest)}." if rest else "")]


def _gap(table: Table, name: str, measure: str) -> tuple[float, bool]:
    """The first row's mean minus that of ``name``, and whether chance would hardly make it."""
    column = MEASURES.index(measure)
    first, other = next(iter(table.rows.values()))[column], table.rows[name][column]
    return first.mean - other.mean, other.differs


def grades(results: Mapping[str, Result]) -> list[str]:
    """A row for every result and grade: where the training pairs ended, and what moves them."""
    lines = [
        "| training pairs | grade | pairs | score | unsettled | share of the pull |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, result in results.items():
        for number, grade in enumerate(result.grades):
            lines.append(
                f"| {name} | {number} | {grade.pairs:,} | {grade.mean:.3f} ±{grade.spread:.3f}"
                f" | {grade.unsettled:.0%} | {grade.pull:.0%} |"
            )
    return lines


def curves(results: Mapping[str, Result]) -> list[str]:
    """The validation measure after every epoch, one line for each training."""
    return [
        f"- {name}: " + " ".join(f"{epoch['validation'][VALIDATED_BY[0]]:.3f}" for epoch in epochs)
        for name, result in results.items()
        if (epochs := result.epochs)
    ]
