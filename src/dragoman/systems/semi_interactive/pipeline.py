"""The whole of ``dragoman train transformer``: a collection -> a model in a folder."""

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

WARMING = 0.1  # of all steps, at most
EXPORT_PAIRS = 2000  # that an export is measured on, at most


def run_pipeline(
    source: str | Path,
    encoder: Path | str,
    config: SemiInteractiveConfig,
    output: Path,
    *,
    material: ExampleConfig | None = None,
    teacher: Path | str | None = None,
    export: bool = False,
    restart: bool = False,
    stage: Stage = no_stages,
) -> dict[str, Any]:
    """Train on a collection and save the model; the report that is saved with it.

    With ``export`` its encoder is also written as ONNX in eight bits, measured on test pairs.

    A collection of a few thousand queries ends before the paper's 8,000 steps of warm-up, so that
    these are at most a tenth of all steps.
    """
    stage = stage if is_main_process() else no_stages
    chosen = material or ExampleConfig(seed=config.seed)
    collection = Collection.open(source)
    reads = config.architecture is RelevanceArchitecture.SEMI_INTERACTIVE
    count = config.relevant_queries if reads else 0
    examples = read_examples(collection, count, chosen, stage("reading", None))
    steps = training_steps(len(examples[TRAIN]), config)
    config = replace(config, warm_up=min(config.warm_up, int(WARMING * steps)))
    if teacher is not None and config.distillation is not Distillation.OFF and is_main_process():
        advance = stage("asking the teacher", len(examples[TRAIN]))
        teacher_scores(load_teacher(teacher), examples[TRAIN], output.parent / SCORES)
        advance(len(examples[TRAIN]))
    wait_for_everyone()
    trained = train(
        examples[TRAIN],
        examples[VALIDATION],
        encoder,
        config,
        output,
        teacher=teacher,
        restart=restart,
        facts={"collection": collection.name},
        advance=stage("training", steps),
    )
    labels = np.array([one.label for one in examples[TEST]])
    advance = stage("measuring", len(labels))
    measured = trained.model.score_pairs(examples[TEST])
    advance(len(labels))
    report = _completed(trained, {AUC: pooled_auc(measured, labels)}, len(labels))
    if export and is_main_process():
        advance = stage("exporting", 1)
        write = registry.load("dragoman.systems.semi_interactive.export:export_model")
        report["export"] = asdict(write(output, examples[TEST][:EXPORT_PAIRS]))
        advance()
    wait_for_everyone()
    return report


def _completed(
    trained: TrainedRelevanceModel, test: dict[str, float], pairs: int
) -> dict[str, Any]:
    """The facts of the model with what the test measured, also in its folder."""
    model = trained.model
    model.facts = {**model.facts, "test": test, "test_pairs": pairs}
    if is_main_process():
        kept = FORMAT.read(trained.folder / FACTS)
        FORMAT.write(trained.folder / FACTS, {**kept, "test": test, "test_pairs": pairs})
    wait_for_everyone()
    return model.facts
