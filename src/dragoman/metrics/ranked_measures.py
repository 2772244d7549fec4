"""Outcomes -> measures of a ranked list, computed by ir-measures (trec_eval underneath).

ir-measures breaks ties of the score by document id in its own direction, so it gets no scores or
ids: hit number r is the document "r" with the score -r. Hits below the last judged one change none
of these measures and are left out, which makes deep runs cheap.

The names are those of ir-measures. The measures that the papers report are in docs/evaluation.md.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import Any

import ir_measures
import numpy as np

from dragoman.errors import ConfigError, UserError
from dragoman.metrics.outcomes import UNJUDGED, Outcome, check_cutoff
from dragoman.types import FloatArray

# trec_eval allocates an array of all gains up to the highest, so 2^grade - 1 must stay small.
HIGHEST_EXPONENT = 15
OUTCOMES_AT_ONCE = 512


class Gain(StrEnum):
    """The gain of a grade in nDCG, by the names of ir-measures."""

    LINEAR = "log2"
    EXPONENTIAL = "exp-log2"


@dataclass(frozen=True, slots=True)
class RankedMeasure:
    """A measure that ir-measures computes for each query separately."""

    name: str
    provided: Any  # ir_measures.Measure, which carries no types
    gain: Gain = Gain.LINEAR
    judged_depth: int = 0  # hits that count even without judgment
    longest_rank: int | None = None  # for RR: later ranks count as not retrieved
    pooled: bool = False
    bounds: tuple[float, float] = (0.0, 1.0)

    def values(self, outcomes: Sequence[Outcome], collection_size: int | None) -> FloatArray:
        """One value per outcome; 0 where nothing is relevant, as in trec_eval."""
        return ranked_values([self], outcomes)[self.name]


def precision(name: str, *, cutoff: int, rel: int = 1) -> RankedMeasure:
    """The share of the first k that is relevant; divided by k, however many were retrieved."""
    return RankedMeasure(name, ir_measures.P(rel=rel) @ check_cutoff(cutoff))


def recall(name: str, *, cutoff: int, rel: int = 1) -> RankedMeasure:
    """The share of the relevant documents that is among the first k."""
    return RankedMeasure(name, ir_measures.R(rel=rel) @ check_cutoff(cutoff))


def success(name: str, *, cutoff: int, rel: int = 1) -> RankedMeasure:
    """1 where a relevant document is among the first k (hits@k), else 0."""
    return RankedMeasure(name, ir_measures.Success(rel=rel) @ check_cutoff(cutoff))


def average_precision(name: str, *, cutoff: int | None = None, rel: int = 1) -> RankedMeasure:
    """The mean of the precisions at every relevant document, 0 where not retrieved (MAP)."""
    measure = ir_measures.AP(rel=rel)
    return RankedMeasure(name, measure if cutoff is None else measure @ check_cutoff(cutoff))


def reciprocal_rank(name: str, *, cutoff: int | None = None, rel: int = 1) -> RankedMeasure:
    """One over the rank of the first relevant document (MRR); 0 where none is retrieved."""
    longest = None if cutoff is None else check_cutoff(cutoff)
    return RankedMeasure(name, ir_measures.RR(rel=rel), longest_rank=longest)


def ndcg(name: str, *, cutoff: int | None = None, dcg: str = Gain.LINEAR) -> RankedMeasure:
    """Discounted gain over the ideal; the gain is the grade, or 2^grade-1 with dcg='exp-log2'."""
    if dcg not in set(Gain):
        raise ConfigError(f"dcg must be one of {', '.join(Gain)}, got {dcg!r}")
    measure = ir_measures.nDCG
    provided = measure if cutoff is None else measure @ check_cutoff(cutoff)
    return RankedMeasure(name, provided, gain=Gain(dcg))


def judged(name: str, *, cutoff: int) -> RankedMeasure:
    """The share of the first k that is judged: how far the other measures can be trusted."""
    depth = check_cutoff(cutoff)
    return RankedMeasure(name, ir_measures.Judged @ depth, judged_depth=depth)


def ranked_values(
    measures: Sequence[RankedMeasure], outcomes: Sequence[Outcome]
) -> Mapping[str, FloatArray]:
    """The values of several measures by name, in one pass of ir-measures."""
    values = {measure.name: np.zeros(len(outcomes)) for measure in measures}
    for gain in Gain:
        group = [measure for measure in measures if measure.gain is gain]
        for start in range(0, len(outcomes) if group else 0, OUTCOMES_AT_ONCE):
            _fill(values, group, list(islice(outcomes, start, start + OUTCOMES_AT_ONCE)), start)
    for measure in measures:
        if measure.longest_rank is not None:
            mine = values[measure.name]
            mine[mine < 1 / (measure.longest_rank + 0.5)] = 0.0
    return values


def _fill(
    values: Mapping[str, FloatArray],
    group: Sequence[RankedMeasure],
    outcomes: Sequence[Outcome],
    start: int,
) -> None:
    depth = max(measure.judged_depth for measure in group)
    longest = max(len(outcome.grades) for outcome in outcomes)
    document_names = [str(rank) for rank in range(longest)]
    falling_scores = [-float(rank) for rank in range(longest)]
    run: dict[str, dict[str, float]] = {}
    qrels: dict[str, dict[str, int]] = {}
    for number, outcome in enumerate(outcomes):
        judged_rows = np.flatnonzero(outcome.grades != UNJUDGED)
        length = max(
            int(judged_rows[-1]) + 1 if len(judged_rows) else 0, min(depth, len(outcome.grades))
        )
        if length:
            run[str(number)] = dict(zip(document_names[:length], falling_scores, strict=False))
        gains = {str(row): int(outcome.grades[row]) for row in judged_rows}
        gains |= {f"u{n}": int(grade) for n, grade in enumerate(outcome.unretrieved)}
        if gains:
            qrels[str(number)] = _gains(gains, group[0].gain)
    names: dict[Any, list[str]] = {}
    for measure in group:
        names.setdefault(measure.provided, []).append(measure.name)
    for metric in ir_measures.evaluator(list(names), qrels).iter_calc(run) if qrels else ():
        for name in names[metric.measure]:
            values[name][start + int(metric.query_id)] = metric.value


def _gains(grades: dict[str, int], gain: Gain) -> dict[str, int]:
    if gain is Gain.LINEAR:
        return grades
    highest = max(grades.values())
    if highest > HIGHEST_EXPONENT:
        raise UserError(
            f"A judgment has the grade {highest}; the exponential gain takes grades up to"
            f" {HIGHEST_EXPONENT}. Use the linear gain (nDCG without dcg=) or smaller grades."
        )
    return {key: 2 ** max(grade, 0) - 1 for key, grade in grades.items()}
