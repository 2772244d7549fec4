"""Claims that one system is above another -> a table: verdict, difference, interval, p-value.

An experiment declares what it compares; the statistics are the same for all of them. The difference
is the mean over groups (languages, directions) of the mean over queries. Its p-value is that of the
paired permutation test, with Holm's correction over the claims of the paper, over the comparisons
that extend it, and over the groups of a claim; its interval is the 95 % bootstrap interval over
queries. Comparisons that the paper does not make stand in a table of their own.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
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
    overall = holm([_p_value(gain.differences, list(gain.pairs)) for gain in tested])
    claims = []
    for gain, p_value in zip(tested, overall, strict=True):
        differences, groups = gain.differences, list(gain.pairs)
        claims.append(_claim(gain, "", groups, p_value))
        if len(groups) > 1:
            corrected = holm([_p_value(differences, [group]) for group in groups])
            claims += [
                _claim(gain, group, [group], p) for group, p in zip(groups, corrected, strict=True)
            ]
    return claims


def _p_value(differences: Mapping[str, FloatArray], groups: Sequence[str]) -> float:
    values = weighted_values(differences, groups)
    return permutation_test(values, np.zeros_like(values), np.random.default_rng(0))


def _claim(gain: ClaimedGain, name: str, groups: Sequence[str], p_value: float) -> Claim:
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
    header = ["claim", "measure", "verdict", "difference", "95 % interval", "p"]
    header += ["paper"] * paper + [f"by {grouped_by}"] * groups
    alignment = f"|---|---|---|---:|---|---:|{'---:|' * paper}{'---|' * groups}"
    lines = [f"| {' | '.join(header)} |", alignment]
    for claim in claims:
        if claim.group:
            continue
        low, high = (
            _signed(end, claim.digits) for end in (claim.interval.low, claim.interval.high)
        )
        cells = [claim.text, claim.measure, claim.verdict, _signed(claim.difference, claim.digits)]
        cells += [f"{low} to {high}", f"{claim.p_value:.4f}"]
        if paper:
            cells.append("" if claim.paper is None else _signed(claim.paper, claim.digits))
        if groups:
            cells.append(", ".join(_group_cell(one) for one in claims if _is_part(one, claim)))
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def _is_part(one: Claim, whole: Claim) -> bool:
    return bool(one.group) and (one.text, one.measure) == (whole.text, whole.measure)


def _group_cell(claim: Claim) -> str:
    star = "\\*" if claim.is_significant else ""
    return f"{claim.group} {_signed(claim.difference, claim.digits)}{star}"


def _signed(number: float, digits: int) -> str:
    return f"{number:+.{digits}f}"


def write_claims(path: Path, claims: Iterable[Claim]) -> None:
    """Every row as CSV, the groups' too."""
    columns = ("verdict", "difference", "low", "high", "p", "paper")
    header = ("kind", "claim", "measure", "group", *columns)
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
    write_csv(path, header, rows)
