"""The whole of ``dragoman train interactive`` and its kin: a collection -> a model in a folder."""

import shutil
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from dragoman import registry
from dragoman.errors import ConfigError
from dragoman.protocols import Stage, unannounced
from dragoman.systems.semi_interactive.comparing import comparisons, drawn_pairs
from dragoman.systems.semi_interactive.config import (
    Architecture,
    Distillation,
    FirstAttention,
    SemiInteractiveConfig,
)
from dragoman.systems.semi_interactive.learning import (
    AUC,
    SCORES,
    TrainedModel,
    pooled_auc,
    train,
    training_steps,
)
from dragoman.systems.semi_interactive.material import (
    TEST,
    TRAIN,
    VALIDATION,
    MaterialConfig,
    read_examples,
)
from dragoman.systems.semi_interactive.model import FACTS, FORMAT, PAIRS
from dragoman.systems.semi_interactive.transfer import load_teacher, teacher_scores
from dragoman.text.collection import Collection
from dragoman.training.sharing import is_main_process, wait_for_everyone

WARMING = 0.1  # of all steps, at most
COMPARED = 20_000  # sentence pairs that an interactive model learns to compare from, at most
EXPORT_PAIRS = 2000  # that an export is measured on, at most


def run_job(
    source: str | Path,
    encoder: Path | str,
    config: SemiInteractiveConfig,
    output: Path,
    *,
    material: MaterialConfig | None = None,
    teacher: Path | str | None = None,
    bitext: Sequence[str | Path] = (),
    export: bool = False,
    restart: bool = False,
    stage: Stage = unannounced,
) -> dict[str, Any]:
    """Train on a collection and save the model; the report that is saved with it.

    An interactive model may learn to compare texts from ``bitext`` first. With ``export`` its
    encoder is also written as ONNX in eight bits, measured on test pairs.

    A collection of a few thousand queries ends before the paper's 8,000 steps of warm-up, so that
    these are at most a tenth of all steps.
    """
    stage = stage if is_main_process() else unannounced
    chosen = material or MaterialConfig(seed=config.seed)
    collection = Collection.open(source)
    reads = config.architecture is Architecture.SEMI_INTERACTIVE
    count = config.relevant_queries if reads else 0
    examples = read_examples(collection, count, chosen, stage("reading", None))
    steps = training_steps(len(examples[TRAIN]), config)
    config = replace(config, warm_up=min(config.warm_up, int(WARMING * steps)))
    compared = output.with_name(f".{output.name}.compared")
    if bitext:
        encoder = _comparing(bitext, encoder, config, compared, restart=restart, stage=stage)
        config = replace(config, attention=FirstAttention.ENCODER)
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
    if is_main_process():
        shutil.rmtree(compared, ignore_errors=True)
    report = _completed(trained, {AUC: pooled_auc(measured, labels)}, len(labels))
    if export and is_main_process():
        advance = stage("exporting", 1)
        write = registry.load("dragoman.systems.semi_interactive.export:export_model")
        report["export"] = asdict(write(output, examples[TEST][:EXPORT_PAIRS]))
        advance()
    wait_for_everyone()
    return report


def _comparing(
    bitext: Sequence[str | Path],
    encoder: Path | str,
    config: SemiInteractiveConfig,
    output: Path,
    *,
    restart: bool,
    stage: Stage,
) -> Path:
    """The folder of an encoder that has learnt to tell translations from other sentences."""
    if config.architecture is not Architecture.INTERACTIVE:
        raise ConfigError("only an interactive model compares texts, and can learn it from bitext")
    if restart or not (output / FACTS).is_file():
        rng = np.random.default_rng(config.seed)
        examples = comparisons(drawn_pairs(bitext, COMPARED, rng), rng)
        held_out = max(2, len(examples) // 20)
        once = replace(config, epochs=1, patience=0)
        steps = training_steps(len(examples) - held_out, once)
        train(
            examples[held_out:],
            examples[:held_out],
            encoder,
            replace(once, warm_up=int(WARMING * steps)),
            output,
            restart=restart,
            advance=stage("comparing", steps),
        )
    return output / PAIRS


def _completed(trained: TrainedModel, test: dict[str, float], pairs: int) -> dict[str, Any]:
    """The facts of the model with what the test measured, also in its folder."""
    model = trained.model
    model.facts = {**model.facts, "test": test, "test_pairs": pairs}
    if is_main_process():
        kept = FORMAT.read(trained.folder / FACTS)
        FORMAT.write(trained.folder / FACTS, {**kept, "test": test, "test_pairs": pairs})
    wait_for_everyone()
    return model.facts
