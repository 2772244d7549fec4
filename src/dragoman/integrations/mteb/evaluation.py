"""A model and tasks -> MTEB's own result files, and the rankings as TREC runs.

FOLDER/results/MODEL/REVISION/TASK.json   results, as MTEB's leaderboard reads them
FOLDER/predictions/TASK_predictions.json  scores, as MTEB writes them
FOLDER/runs/TASK.SUBSET.SPLIT.trec        the same scores, for `dragoman evaluate` and trec_eval
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mteb
from mteb.cache import ResultCache

from dragoman.text.formats.trec import write_run
from dragoman.types import Hit, Ranking

PREDICTIONS, RUNS = "predictions", "runs"


@dataclass(frozen=True, slots=True)
class TaskScore:
    """The main score of a task in one subset and split."""

    task: str
    subset: str
    split: str
    measure: str
    score: float


def evaluate_tasks(
    model: Any,  # noqa: ANN401 - one of MTEB's protocols
    tasks: Sequence[Any],
    folder: Path,
    *,
    overwrite: bool = False,
) -> list[TaskScore]:
    """Evaluate the model on every task; results that are there already stay.

    A run that was interrupted continues with the subsets that have no result yet.
    """
    results = mteb.evaluate(
        model,
        tasks,
        cache=ResultCache(folder),
        prediction_folder=folder / PREDICTIONS,
        overwrite_strategy="always" if overwrite else "only-missing",
        show_progress_bar=False,
        co2_tracker=False,
    )
    for task in tasks:
        predictions = folder / PREDICTIONS / task.prediction_file_name
        if predictions.is_file():
            write_runs(predictions, task.metadata.name, folder / RUNS, str(results.model_name))
    measures = {task.metadata.name: task.metadata.main_score for task in tasks}
    return [
        score
        for result in results.task_results
        for score in _scores(result, measures[result.task_name])
    ]


def write_runs(predictions: Path, task: str, folder: Path, tag: str) -> list[Path]:
    """Write a TREC run for every subset and split of a file of MTEB's predictions."""
    subsets = json.loads(predictions.read_text(encoding="utf-8"))
    written = []
    for subset, splits in subsets.items():
        if subset == "mteb_model_meta":
            continue
        for split, rankings in splits.items():
            path = folder / f"{task}.{subset}.{split}.trec"
            write_run(path, _rankings(rankings), tag.replace("/", "-"))
            written.append(path)
    return written


def _rankings(scores: dict[str, dict[str, float]]) -> Iterator[Ranking]:
    for query_id, documents in scores.items():
        best = sorted(documents.items(), key=lambda item: (-item[1], item[0]))
        yield Ranking(query_id, tuple(Hit(doc_id, score) for doc_id, score in best))


def _scores(result: Any, measure: str) -> Iterator[TaskScore]:  # noqa: ANN401
    for split, subsets in result.scores.items():
        for scores in subsets:
            yield TaskScore(
                result.task_name, scores["hf_subset"], split, measure, scores["main_score"]
            )
