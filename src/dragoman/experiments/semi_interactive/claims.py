"""Scores of the trained models -> the paper's claims, by AUC, the measure of its Table 2."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from dragoman.experiments.claims import Claim, ClaimedGain, evaluate_claims
from dragoman.experiments.semi_interactive import paper
from dragoman.experiments.semi_interactive.comparisons import compared
from dragoman.experiments.semi_interactive.experiment import RelevanceReproduction
from dragoman.experiments.semi_interactive.plan import (
    BY_LEAD_SENTENCES,
    DISTILLED,
    INITIALIZED,
    INTERACT,
    INTERACT_QUERIES,
    NON,
    NON_KT,
    ONE_ENCODER,
    SEMI,
    SEMI_KT,
    SEMI_SYMMETRIC,
    UNTRAINED,
    UNTRAINED_SEMI,
)
from dragoman.experiments.semi_interactive.rerank import stage_gains
from dragoman.experiments.semi_interactive.runs import RelevanceTrainingResult
from dragoman.experiments.semi_interactive.tables import DIGITS, FACTOR
from dragoman.experiments.semi_interactive.task import RelevanceTask
from dragoman.experiments.semi_interactive.values import AUC, measure_languages
from dragoman.text.collections.splits import Split
from dragoman.types import FloatArray

# the first model is above the second
CLAIMS = (
    ("The semi-interactive model is above the non-interactive one", SEMI, NON),
    ("Knowledge transfer helps the non-interactive model", NON_KT, NON),
    ("Knowledge transfer helps the semi-interactive model", SEMI_KT, SEMI),
    ("Initialisation alone helps the semi-interactive model", INITIALIZED, SEMI),
    ("Distillation alone helps the semi-interactive model", DISTILLED, SEMI),
    ("The semi-interactive model with transfer is above the non-interactive one", SEMI_KT, NON),
    ("The interactive model is above the non-interactive one", INTERACT, NON),
    ("The interactive model is above the semi-interactive one", INTERACT, SEMI),
    ("The interactive model is above the semi-interactive one with transfer", INTERACT, SEMI_KT),
)
EXTENSIONS = (
    ("Equation 7 as printed is above its symmetric form", SEMI_KT, SEMI_SYMMETRIC),
    ("Training raises the non-interactive model above its encoder", NON, UNTRAINED),
    ("Training raises the semi-interactive model above its encoder", SEMI, UNTRAINED_SEMI),
    ("The encoder with relevant queries, not trained, is above the non-interactive model",
     UNTRAINED_SEMI, NON),
    ("One encoder for queries and documents is above two", ONE_ENCODER, NON),
    ("Relevant queries help the interactive model", INTERACT_QUERIES, INTERACT),
    ("The interactive model with relevant queries is above the semi-interactive one",
     INTERACT_QUERIES, SEMI),
    ("The semi-interactive model is above the non-interactive one, lead sentences",
     BY_LEAD_SENTENCES[SEMI], BY_LEAD_SENTENCES[NON]),
    ("The interactive model is above the non-interactive one, lead sentences",
     BY_LEAD_SENTENCES[INTERACT], BY_LEAD_SENTENCES[NON]),
)  # fmt: skip


def semi_interactive_claims(results: RelevanceReproduction) -> list[Claim]:
    """All claims whose models were trained, on the test queries."""
    stages = [] if results.stages is None else stage_gains(results.stages)
    return evaluate_claims([*model_gains(results.trainings, results.task), *stages])


def model_gains(
    results: Mapping[str, RelevanceTrainingResult], task: RelevanceTask
) -> Iterator[ClaimedGain]:
    """Every claim about two trained models; a query's value is the mean over their seeds."""
    for claim in (*CLAIMS, *EXTENSIONS):
        text, upper, lower = claim
        if {upper, lower} <= results.keys():
            first, second = (
                _mean_over_seeds(some, task) for some in compared(results, upper, lower)
            )
            pairs = {
                code: (first[code] * FACTOR[AUC], second[code] * FACTOR[AUC])
                for code in task.languages
            }
            printed = _paper_difference(upper, lower)
            yield ClaimedGain(text, AUC, pairs, printed, DIGITS[AUC], claim in EXTENSIONS)


def _mean_over_seeds(
    results: Sequence[RelevanceTrainingResult], task: RelevanceTask
) -> dict[str, FloatArray]:
    queries = task.queries[Split.TEST]
    by_seed = [measure_languages(queries, result.scores)[AUC] for result in results]
    return {code: np.mean([values[code] for values in by_seed], axis=0) for code in task.languages}


def _paper_difference(upper: str, lower: str) -> float | None:
    """The difference of the averages in the paper's Tables 2 and 5; None for models not there."""
    means = {name: row[paper.AVERAGE] for name, row in paper.TABLE_2.items()}
    means |= dict(paper.TABLE_5)
    return means[upper] - means[lower] if {upper, lower} <= means.keys() else None
