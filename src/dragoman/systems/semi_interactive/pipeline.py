"""The steps of ``dragoman train transformer``: a collection -> a model in a folder."""

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from dragoman import registry
from dragoman.protocols import Stage, no_stages
from dragoman.systems.semi_interactive.config import (
    Distillation,
    RelevanceArchitecture,
    SemiInteractiveConfig,
)
from dragoman.systems.semi_interactive.model import FACTS, FORMAT
from dragoman.systems.semi_interactive.training import (
    AUC,
    SCORES,
    TrainedRelevanceModel,
    pooled_auc,
    train,
    training_steps,
)
from dragoman.systems.semi_interactive.training_data import (
    TEST,
    TRAIN,
    VALIDATION,
    ExampleConfig,
    read_examples,
)
from dragoman.systems.semi_interactive.transfer import load_teacher, teacher_scores
from dragoman.text.collection import Collection
from dragoman.training.distributed import is_main_process, wait_for_everyone

WARM_UP = 0.1  # maximum share of all steps
EXPORT_PAIRS = 2000  # maximum number of pairs to measure an export on


def run_pipeline(
    source: str | Path,
    encoder: Path | str,
    config: SemiInteractiveConfig,
    output: Path,
    *,
    examples: ExampleConfig | None = None,
    teacher: Path | str | None = None,
    export: bool = False,
    restart: bool = False,
    stage: Stage = no_stages,
) -> dict[str, Any]:
    """Train on a collection and save the model; returns the report that is saved with it.

    With ``export``, its encoder is also exported and measured on test pairs.

    Warm-up is limited to a tenth of all steps: a small collection has fewer steps than the paper's
    8,000 of warm-up.
    """
    stage = stage if is_main_process() else no_stages
    collection = Collection.open(source)
    semi_interactive = config.architecture is RelevanceArchitecture.SEMI_INTERACTIVE
    count = config.relevant_queries if semi_interactive else 0
    chosen = examples or ExampleConfig(seed=config.seed)
    splits = read_examples(collection, count, chosen, stage("reading", None))
    steps = training_steps(len(splits[TRAIN]), config)
    config = replace(config, warm_up=min(config.warm_up, int(WARM_UP * steps)))
    if teacher is not None and config.distillation is not Distillation.OFF and is_main_process():
        advance = stage("teacher scores", len(splits[TRAIN]))
        teacher_scores(load_teacher(teacher), splits[TRAIN], output.parent / SCORES)
        advance(len(splits[TRAIN]))
    wait_for_everyone()
    trained = train(
        splits[TRAIN],
        splits[VALIDATION],
        encoder,
        config,
        output,
        teacher=teacher,
        restart=restart,
        facts={"collection": collection.name},
        advance=stage("training", steps),
    )
    labels = np.array([example.label for example in splits[TEST]])
    advance = stage("testing", len(labels))
    scores = trained.model.score_pairs(splits[TEST])
    advance(len(labels))
    report = _add_test(trained, {AUC: pooled_auc(scores, labels)}, len(labels))
    if export and is_main_process():
        advance = stage("exporting", 1)
        write = registry.load("dragoman.systems.semi_interactive.export:export_model")
        report["export"] = asdict(write(output, splits[TEST][:EXPORT_PAIRS]))
        advance()
    wait_for_everyone()
    return report


def _add_test(trained: TrainedRelevanceModel, test: dict[str, float], pairs: int) -> dict[str, Any]:
    """Add the test measures to the facts of the model, in memory and in its folder."""
    model = trained.model
    model.facts = {**model.facts, "test": test, "test_pairs": pairs}
    if is_main_process():
        saved = FORMAT.read(trained.folder / FACTS)
        FORMAT.write(trained.folder / FACTS, {**saved, "test": test, "test_pairs": pairs})
    wait_for_everyone()
    return model.facts
