"""One run per row of the table, cached on disk: an interrupted call continues where it stopped.

RUNS/LANGUAGE-TASK/NAME.json      settings, scores of every query, the log of the training
RUNS/LANGUAGE-PAIRS/NAME.model    the trained models, which can search with other queries
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.run_cache import as_json, load_result, save_result
from dragoman.experiments.searcher.baselines import scores_of
from dragoman.experiments.searcher.normalization import ENGLISH
from dragoman.experiments.searcher.one_sentence import one_sentence_scores
from dragoman.experiments.searcher.probes import ProbeItems, probe
from dragoman.experiments.searcher.score_tables import Scores
from dragoman.experiments.searcher.task import DetectionTask
from dragoman.indexes.search.scope import Scope
from dragoman.protocols import Stage, no_stages
from dragoman.systems.searcher.config import SearcherConfig
from dragoman.systems.searcher.decisions import Combination
from dragoman.systems.searcher.model import FACTS, SearcherModel
from dragoman.systems.searcher.pipeline import train_on
from dragoman.systems.searcher.system import SearcherSystem
from dragoman.systems.searcher.training_data import read_training_data
from dragoman.training.log import read_log

RAW = "raw"
FORMAT = 2  # of saved runs; others are measured again


@dataclass(frozen=True, slots=True)
class DetectionRun:
    """The scores of one row for every query, in one or several variants, and its training log."""

    name: str
    settings: Mapping[str, Any]
    variants: Mapping[str, Scores]
    seconds: float
    epochs: tuple[Mapping[str, Any], ...] = ()  # of a training
    first_epochs: tuple[Mapping[str, Any], ...] = ()  # of its pre-training
    facts: Mapping[str, Any] = field(default_factory=dict)
    probabilities: bool = False  # whether scores are probabilities
    # of queries with several terms, by the sentence that is best for all of them
    one_sentence: Mapping[str, Scores] = field(default_factory=dict)
    format: int = FORMAT

    def without_scores(self) -> Self:
        """Settings, logs and facts alone."""
        return replace(self, variants={}, one_sentence={})


def held_out_precision(runs: Sequence[DetectionRun]) -> list[float]:
    """AP on held-out pairs by epoch, the mean over seeds, as far as all of them were trained."""
    curves = [
        [epoch["validation"]["AP"] for epoch in run.epochs if "AP" in epoch["validation"]]
        for run in runs
    ]
    return [float(np.mean(values)) for values in zip(*curves, strict=False)]


def cached_run(
    name: str,
    settings: Mapping[str, Any],
    task: DetectionTask,
    folder: Path,
    perform: Callable[[], DetectionRun],
) -> DetectionRun:
    """The run of an earlier call with the same task and settings, or that of ``perform``."""
    path = folder / f"{task.language}-{task.fingerprint}" / f"{name}.json"
    if (saved := load_result(path, {"settings": settings, "format": FORMAT})) is not None:
        return DetectionRun(**saved)
    started = time.monotonic()
    run = perform()
    run = replace(run, settings=as_json(settings), seconds=time.monotonic() - started)
    save_result(path, asdict(run))
    return run


def searcher_run(
    name: str,
    task: DetectionTask,
    config: SearcherConfig,
    folder: Path,
    items: ProbeItems,
    stage: Stage = no_stages,
) -> DetectionRun:
    """Train SEARCHER on the task's pairs, score all of its documents, and probe it."""
    model = folder / f"{task.language}-{task.training_fingerprint}" / f"{name}.model"
    report = load_result(model / FACTS, {"settings": config.as_settings()})
    if report is None:
        pair = (ENGLISH, task.language)
        data = read_training_data(task.name, task.training, pair, config)
        model.parent.mkdir(parents=True, exist_ok=True)
        report = train_on(data, config, model, stage=stage)
    loaded = SearcherModel.load(model)
    variants = _by_combination(task, model, loaded)
    reported = ("held_out", "best_epoch", "expected_calibration_error")
    facts = {**{key: report[key] for key in reported}, "probes": asdict(probe(loaded, items))}
    return DetectionRun(
        name,
        {},
        variants,
        0.0,
        tuple(read_log(model / "log.jsonl")),
        tuple(read_log(model / "pretraining.jsonl")),
        facts,
        probabilities=True,
        one_sentence=one_sentence_scores(loaded, task),
    )


def _by_combination(task: DetectionTask, model: Path, loaded: SearcherModel) -> dict[str, Scores]:
    """The scores of all documents by each way to combine the terms of a query, from one index."""
    size, variants = len(task.documents), {}
    with (
        temporary_index(task.documents, SearcherSystem.name, {"model": str(model)}) as index,
        index.snapshot() as snapshot,
    ):
        for combination in Combination:
            system = SearcherSystem(loaded, combination)
            variants[str(combination)] = scores_of(
                system.search(snapshot, query, size, Scope()) for query in task.queries
            )
    return variants
