"""One row of the table after another, kept on disk: a call that was killed goes on where it was.

RUNS/LANGUAGE-TASK/NAME.json      settings, scores of every query, what the training measured
RUNS/LANGUAGE-PAIRS/NAME.model    the trained models, which can answer other queries
"""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from dragoman.experiments.index_cache import temporary_index
from dragoman.experiments.searcher.baselines import Scores, scores_of
from dragoman.experiments.searcher.task import ENGLISH, DetectionTask
from dragoman.indexes.search.scope import Scope
from dragoman.protocols import Advance, Stage, no_progress, no_stages
from dragoman.storage.staging import write_lines
from dragoman.systems.searcher.config import Pooling, PretrainConfig, SearcherConfig
from dragoman.systems.searcher.decisions import Combination
from dragoman.systems.searcher.job import run_on
from dragoman.systems.searcher.material import read_material
from dragoman.systems.searcher.model import FACTS, SearcherModel
from dragoman.systems.searcher.system import SearcherSystem
from dragoman.training.log import read_log

RAW, SHARE = "raw", "share of the best"


@dataclass(frozen=True, slots=True)
class Result:
    """What a row said of every query, in one or several readings, and how it came about."""

    name: str
    settings: Mapping[str, Any]
    variants: Mapping[str, Scores]
    seconds: float
    epochs: tuple[Mapping[str, Any], ...] = ()  # of a training
    first_epochs: tuple[Mapping[str, Any], ...] = ()  # of its pre-training
    facts: Mapping[str, Any] = field(default_factory=dict)


def kept(
    name: str,
    settings: Mapping[str, Any],
    task: DetectionTask,
    folder: Path,
    perform: Callable[[], Result],
    advance: Advance = no_progress,
) -> Result:
    """The result of an earlier call with the same task and settings, or of ``perform``."""
    path = folder / f"{task.language}-{task.fingerprint}" / f"{name}.json"
    plain = json.loads(json.dumps(settings))
    if path.is_file():
        found = json.loads(path.read_text(encoding="utf-8"))
        if found["settings"] == plain:
            advance()
            return Result(**found)
    started = time.monotonic()
    result = perform()
    result = replace(result, settings=plain, seconds=time.monotonic() - started)
    path.parent.mkdir(parents=True, exist_ok=True)
    with write_lines(path) as stream:
        stream.write(json.dumps(asdict(result)) + "\n")
    advance()
    return result


def lexical_result(name: str, scores: Scores) -> Result:
    """Scores as they are, and as shares of the best of their query.

    BM25 weighs a query by its words' idf, so that one threshold for all queries may do better on
    shares; which one is taken is decided on the development queries.
    """
    shares = {
        query_id: {doc_id: score / max(found.values()) for doc_id, score in found.items()}
        if found and max(found.values()) > 0
        else {}
        for query_id, found in scores.items()
    }
    return Result(name, {}, {RAW: scores, SHARE: shares}, 0.0)


def searcher_result(
    name: str, task: DetectionTask, config: SearcherConfig, folder: Path, stage: Stage = no_stages
) -> Result:
    """Train SEARCHER on the task's pairs and score all of its documents."""
    model = folder / f"{task.language}-{task.learnt_from}" / f"{name}.model"
    report = _report(model)
    if report.get("settings") != json.loads(json.dumps(config.as_settings())):
        pair = (ENGLISH, task.language)
        material = read_material(task.name, task.training, pair, config)
        model.parent.mkdir(parents=True, exist_ok=True)
        report = run_on(material, config, model, stage=stage)
    variants = _by_combination(task, model)
    facts = {key: report[key] for key in ("held_out", "best_epoch", "expected_calibration_error")}
    return Result(
        name,
        {},
        variants,
        0.0,
        tuple(read_log(model / "log.jsonl")),
        tuple(read_log(model / "pretraining.jsonl")),
        facts,
    )


def _by_combination(task: DetectionTask, model: Path) -> dict[str, Scores]:
    """The scores of all documents by each reading of several terms; one index serves them all."""
    loaded, size, variants = SearcherModel.load(model), len(task.documents), {}
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


def _report(model: Path) -> dict[str, Any]:
    """What a trained model says of itself; nothing where there is none."""
    path = model / FACTS
    found: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.is_file() else {}
    return found


def searchers(config: SearcherConfig, before: PretrainConfig) -> dict[str, SearcherConfig]:
    """Both poolings, each from nothing, after pre-training, and from aligned vectors."""
    rows = {}
    for pooling in Pooling:
        model = replace(config.model, pooling=pooling)
        aligned = replace(config, model=model, pretrain=None)
        rows[f"searcher-{pooling}"] = aligned.drawn()
        rows[f"searcher-{pooling}-pretrained"] = replace(aligned.drawn(), pretrain=before)
        rows[f"searcher-{pooling}-aligned"] = aligned
    return rows
