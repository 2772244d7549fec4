"""Results of trainings -> how well each model fits its own pairs and the test, as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.experiments.group_means import mean_of_groups
from dragoman.experiments.semi_interactive.runs import RelevanceTrainingResult
from dragoman.experiments.semi_interactive.task import RELATED, RELEVANT, QueryCandidates
from dragoman.experiments.semi_interactive.values import (
    AUC,
    area_by_kind,
    area_within_queries,
    measure_languages,
)


@dataclass(frozen=True, slots=True)
class ModelFit:
    """A model on its training pairs and on those of the test, in languages with supervision."""

    trained: float  # AUC of its training pairs
    tested: float
    within: float  # the same among the candidates of one query
    relevant: float  # mean score of the relevant documents of the test
    others: float
    sampled: float  # AUC against sampled negatives alone
    hard: float
    best_epoch: float
    epochs: float
    seconds: float


def fit(
    result: RelevanceTrainingResult,
    queries: Sequence[QueryCandidates],
    languages: Sequence[str],
    validations: int = 1,
) -> ModelFit:
    """The fit of one trained model, validated so often in an epoch."""
    grades = np.concatenate([one.grades for one in queries])
    kinds = area_by_kind(queries, result.scores, languages)
    values = [epoch["validation"][AUC] for epoch in result.epochs]
    return ModelFit(
        trained=result.fitted,
        tested=mean_of_groups(measure_languages(queries, result.scores)[AUC], languages),
        within=area_within_queries(queries, result.scores, languages),
        relevant=float(result.scores[grades == RELEVANT].mean()),
        others=float(result.scores[(grades != RELEVANT) & (grades != RELATED)].mean()),
        sampled=kinds["sampled"],
        hard=kinds["hard"],
        best_epoch=(int(np.argmax(values)) + 1) / validations if values else 0,
        epochs=len(values) / validations,
        seconds=result.seconds,
    )


def fits_markdown(
    results: Mapping[str, RelevanceTrainingResult],
    queries: Sequence[QueryCandidates],
    languages: Sequence[str],
    validations: int = 1,
) -> list[str]:
    """A row for every training, in their order."""
    lines = [
        "| training | AUC, its own pairs | AUC, test | within queries | against sampled |"
        " against hard | score of relevant | of others | best epoch | s of one core |",
        f"|---|{'---:|' * 9}",
    ]
    for name, result in results.items():
        one = fit(result, queries, languages, validations)
        lines.append(
            f"| {name} | {one.trained * 100:.2f} | {one.tested * 100:.2f} | {one.within * 100:.2f}"
            f" | {one.sampled * 100:.2f} | {one.hard * 100:.2f} | {one.relevant:.3f} |"
            f" {one.others:.3f} | {one.best_epoch:g} of {one.epochs:g} | {one.seconds:,.0f} |"
        )
    return lines
