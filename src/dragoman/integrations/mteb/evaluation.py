"""A model and tasks -> MTEB's own result files, and the rankings as TREC runs.

FOLDER/results/MODEL/REVISION/TASK.json               results, as MTEB's leaderboard reads them
FOLDER/predictions/MODEL/REVISION/TASK_predictions.json  scores, as MTEB writes them
FOLDER/runs/MODEL/REVISION/TASK.SUBSET.SPLIT.trec     the same scores, for `dragoman evaluate` and
                                                      trec_eval, with ir_metadata next to them
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mteb
from mteb.cache import ResultCache

import dragoman
from dragoman.runs.metadata import compose, metadata_path, write_metadata
from dragoman.storage.digests import file_sha256
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
    mine = _folder_of(model.mteb_model_meta)
    results = mteb.evaluate(
        model,
        tasks,
        cache=ResultCache(folder),
        prediction_folder=folder / PREDICTIONS / mine,
        overwrite_strategy="always" if overwrite else "only-missing",
        show_progress_bar=False,
        co2_tracker=False,
    )
    for task in tasks:
        predictions = folder / PREDICTIONS / mine / task.prediction_file_name
        if predictions.is_file():
            write_runs(predictions, task, folder / RUNS / mine, model.mteb_model_meta)
    measures = {task.metadata.name: task.metadata.main_score for task in tasks}
    return [
        score
        for result in results.task_results
        for score in _scores(result, measures[result.task_name])
    ]


def _folder_of(model: Any) -> Path:  # noqa: ANN401 - a ModelMeta
    """Where predictions and runs of a model are: MTEB adds predictions to those it finds."""
    names = (model.model_name_as_path(), model.revision, model.experiment_name)
    return Path(*(str(name) for name in names if name))


def write_runs(predictions: Path, task: Any, folder: Path, model: Any) -> list[Path]:  # noqa: ANN401
    """Write a TREC run for every subset and split of a file of MTEB's predictions.

    ``model`` is the ``ModelMeta`` of what searched.
    """
    subsets = json.loads(predictions.read_text(encoding="utf-8"))
    tag = str(model.name).replace("/", "-")
    written = []
    for subset, splits in subsets.items():
        if subset == "mteb_model_meta":
            continue
        for split, rankings in splits.items():
            path = folder / f"{task.metadata.name}.{subset}.{split}.trec"
            write_run(path, _rankings(rankings), tag)
            metadata = _metadata(path, tag, task, subset, split, model)
            write_metadata(metadata_path(path), metadata)
            written.append(path)
    return written


def _metadata(
    path: Path,
    tag: str,
    task: Any,  # noqa: ANN401
    subset: str,
    split: str,
    model: Any,  # noqa: ANN401
) -> dict[str, Any]:
    """ir_metadata of a run: the task in place of a test collection, and the model."""
    dataset = {key: str(value) for key, value in task.metadata.dataset.items()}
    collection = {"name": task.metadata.name, **dataset, "subset": subset, "split": split}
    stage = {
        "name": str(model.name),
        "method": f"dragoman=={dragoman.__version__}",
        "settings": dict(model.experiment_kwargs or {}),
    }
    signature = {
        "dragoman": dragoman.__version__,
        "mteb": mteb.__version__,
        "run": {"name": path.name, "sha256": file_sha256(path)},
        "dataset": dataset,
        "model": {"name": str(model.name), "revision": str(model.revision)},
        "seed": None,  # searches draw no random numbers
    }
    return compose(tag, collection, {"retrieval": [stage]}, signature)


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
