"""Claims that one system is above another -> a table: verdict, difference, interval, p-value.

An experiment declares what it compares; the statistics are the same for all of them. The difference
is the mean over groups (languages, directions) of the mean over queries. Its p-value is that of the
paired permutation test, with Holm's correction over the claims of the paper, over the comparisons
that extend it, and over the groups of a claim; its interval is the 95 % bootstrap interval over
queries. Comparisons that the paper does not make stand in a table of their own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import numpy as np

from dragoman.experiments.csv_tables import write_csv
from dragoman.experiments.group_means import stratified_values, weighted_values
from dragoman.metrics.significance import Interval, bootstrap_interval, holm, permutation_test
from dragoman.types import FloatArray

SIGNIFICANT = 0.05
TAILS = (2.5, 97.5)  # per cent
CAPTION = (
    "A claim holds if the difference is above 0 with p < .05; below 0 with p < .05 the opposite"
    " holds; otherwise it is not shown or, where the paper's difference lies in the interval, not"
    " settled here. Paired permutation test over queries, with Holm's correction over the claims of"
    " the paper, and apart from them over other comparisons."
    " Intervals are 95 % bootstrap intervals of the difference; \\* marks a group with p < .05,"
    " corrected over the groups of its claim."
)


EXTENSIONS = "Comparisons that the paper does not make:"
COLUMN_NAMES = ("claim", "measure", "verdict", "difference", "95 % interval", "p")


class Verdict(StrEnum):
    """Whether a claim holds on the measured values."""

    HOLDS = "holds"
    OPPOSITE = "opposite"
    NOT_SHOWN = "not shown"
    NOT_SETTLED = "not settled"  # neither no difference nor the paper's is ruled out


@dataclass(frozen=True, slots=True)
class ClaimedGain:
    """A claim to be tested: the values of two systems on the same queries, by group."""

    text: str  # says that the first system is above the second
    measure: str
    pairs: Mapping[str, tuple[FloatArray, FloatArray]]
    paper: float | None = None  # the difference that the paper reports
    digits: int = 3
    extension: bool = False  # a comparison that the paper does not make
    # differences on samples of the experiment's own, by group; None: samples of the queries
    resampled: Mapping[str, FloatArray] | None = None

    @property
    def differences(self) -> dict[str, FloatArray]:
        """The first system minus the second, query by query, in every group."""
        return {group: first - second for group, (first, second) in self.pairs.items()}


@dataclass(frozen=True, slots=True)
class Claim:
    """A tested claim: over all groups where ``group`` is empty, else in that group alone."""

    text: str
    measure: str
    group: str
    difference: float
    interval: Interval
    p_value: float  # corrected
    paper: float | None = None
    digits: int = 3
    extension: bool = False

    @property
    def verdict(self) -> Verdict:
        """Whether the difference is significant, and if not, whether the paper's is ruled out."""
        if self.is_significant:
            return Verdict.HOLDS if self.difference > 0 else Verdict.OPPOSITE
        low, high = self.interval.low, self.interval.high
        if self.paper is not None and low <= self.paper <= high:
            return Verdict.NOT_SETTLED
        return Verdict.NOT_SHOWN

    @property
    def is_significant(self) -> bool:
        """Whether the difference is above or below 0 with significance."""
        return self.p_value < SIGNIFICANT


def evaluate_claims(gains: Iterable[ClaimedGain]) -> list[Claim]:
    """Each claim over all its groups, followed by one row per group where there are several.

    The claims of the paper come first, then the extensions; p-values are corrected within each.
    """
    tested = [gain for gain in gains if gain.pairs]
    claims = _evaluate([gain for gain in tested if not gain.extension])
    return claims + _evaluate([gain for gain in tested if gain.extension])


def _evaluate(tested: Sequence[ClaimedGain]) -> list[Claim]:
    claims = []
    overall = _corrected([_claim(gain, "", list(gain.pairs)) for gain in tested])
    for gain, claim in zip(tested, overall, strict=True):
        claims.append(claim)
        if len(gain.pairs) > 1:
            claims += _corrected([_claim(gain, group, [group]) for group in gain.pairs])
    return claims


def _corrected(claims: Sequence[Claim]) -> list[Claim]:
    """The same with Holm's correction over all of them."""
    p_values = holm([claim.p_value for claim in claims])
    return [replace(claim, p_value=p) for claim, p in zip(claims, p_values, strict=True)]


def _p_value(differences: Mapping[str, FloatArray], groups: Sequence[str]) -> float:
    values = weighted_values(differences, groups)
    return permutation_test(values, np.zeros_like(values), np.random.default_rng(0))


def _claim(gain: ClaimedGain, name: str, groups: Sequence[str]) -> Claim:
    """The claim over some groups, its p-value not yet corrected."""
    p_value = _p_value(gain.differences, groups)
    values = stratified_values(gain.differences, groups)
    if gain.resampled is None:
        interval = bootstrap_interval(values, np.random.default_rng(0))
    else:
        samples = np.mean([gain.resampled[group] for group in groups], axis=0)
        interval = percentile_interval(samples)
    paper = None if name else gain.paper
    return Claim(
        *(gain.text, gain.measure, name, float(values.mean()), interval, p_value, paper),
        digits=gain.digits,
        extension=gain.extension,
    )


def percentile_interval(samples: FloatArray) -> Interval:
    """The 95 % percentile interval of resampled values."""
    low, high = np.percentile(samples, TAILS)
    return Interval(float(low), float(high))


def claims_markdown(claims: Sequence[Claim], grouped_by: str = "language") -> list[str]:
    """The caption and the tables: claims of the paper, and extensions, where there are such."""
    lines = [CAPTION]
    if of_paper := [one for one in claims if not one.extension]:
        lines += ["", *_table(of_paper, grouped_by)]
    if extensions := [one for one in claims if one.extension]:
        lines += ["", EXTENSIONS, "", *_table(extensions, grouped_by)]
    return lines


def _table(claims: Sequence[Claim], grouped_by: str) -> list[str]:
    """A line per claim, the differences of its groups in one cell."""
    paper = any(claim.paper is not None for claim in claims)
    groups = any(claim.group for claim in claims)
    header = [*COLUMN_NAMES, *["paper"] * paper, *[f"by {grouped_by}"] * groups]
    alignment = f"|---|---|---|---:|---|---:|{'---:|' * paper}{'---|' * groups}"
    lines = [f"| {' | '.join(header)} |", alignment]
    for claim in claims:
        if claim.group:
            continue
        cells = [claim.text, *result_cells(claim)]
        if paper:
            cells.append(paper_cell(claim))
        if groups:
            cells.append(", ".join(_group_cell(one) for one in claims if _is_part(one, claim)))
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def result_cells(claim: Claim) -> list[str]:
    """Measure, verdict, difference, interval and p-value."""
    low, high = (_signed(end, claim.digits) for end in (claim.interval.low, claim.interval.high))
    difference = _signed(claim.difference, claim.digits)
    return [claim.measure, claim.verdict, difference, f"{low} to {high}", f"{claim.p_value:.4f}"]


def paper_cell(claim: Claim) -> str:
    """The paper's difference; empty where it has none."""
    return "" if claim.paper is None else _signed(claim.paper, claim.digits)


def _is_part(one: Claim, whole: Claim) -> bool:
    return bool(one.group) and (one.text, one.measure) == (whole.text, whole.measure)


def _group_cell(claim: Claim) -> str:
    star = "\\*" if claim.is_significant else ""
    return f"{claim.group} {_signed(claim.difference, claim.digits)}{star}"


def _signed(number: float, digits: int) -> str:
    return f"{number:+.{digits}f}"


COLUMNS = (
    "kind", "claim", "measure", "group", "verdict", "difference", "low", "high", "p", "paper",
)  # fmt: skip


def write_claims(path: Path, claims: Iterable[Claim]) -> None:
    """Every row as CSV, the groups' too."""
    rows = [
        (
            "extension" if one.extension else "paper",
            *(one.text, one.measure, one.group, one.verdict),
            *(f"{x:.6f}" for x in (one.difference, one.interval.low, one.interval.high)),
            f"{one.p_value:.4g}",
            "" if one.paper is None else f"{one.paper:.4f}",
        )
        for one in claims
    ]
    write_csv(path, COLUMNS, rows)
