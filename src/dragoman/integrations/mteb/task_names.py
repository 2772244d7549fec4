"""A name -> a retrieval task: MTEB's own, one of this package, or a collection."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mteb
from mteb.abstasks.retrieval import AbsTaskRetrieval
from mteb.get_tasks import get_tasks

from dragoman.errors import UnknownName, UserError
from dragoman.integrations.mteb.collection_task import collection_task
from dragoman.integrations.mteb.tasks import TASKS
from dragoman.text.format_detection import IRDS


def open_task(
    name: str, data: Path | None = None, subsets: Sequence[str] = (), split: str = ""
) -> Any:  # noqa: ANN401 - MTEB's tasks have no types here
    """The task that ``name`` names, restricted to some subsets and to one split."""
    if data is not None and name not in TASKS:
        raise UserError(
            f"Found --data with {name}; expected a task whose published files are read from a"
            f" folder: {', '.join(TASKS)}."
        )
    if name.startswith(IRDS) or Path(name).is_dir():
        if subsets:
            raise UserError(f"Found --subset with the collection {name}, which has no subsets.")
        return collection_task(name, split or None)
    task = TASKS[name](data) if name in TASKS else _mteb_task(name)
    if split:
        task.filter_eval_splits([split])
    if subsets:
        if unknown := sorted(set(subsets) - set(task.hf_subsets)):
            raise UnknownName(unknown[0], task.hf_subsets, f"subset of {name}")
        task.hf_subsets = list(subsets)
    return task


def _mteb_task(name: str) -> Any:  # noqa: ANN401
    try:
        task = mteb.get_task(name)
    except KeyError as error:
        known = [one.metadata.name for one in get_tasks(task_types=["Retrieval", "Reranking"])]
        raise UnknownName(name, [*TASKS, *known], "task") from error
    if not isinstance(task, AbsTaskRetrieval):
        raise UserError(
            f"Found the task {name}, of type {task.metadata.type}; expected one of retrieval or"
            " re-ranking."
        )
    return task
