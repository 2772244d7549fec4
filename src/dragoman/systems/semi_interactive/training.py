"""Examples and a pre-trained encoder -> a trained model in a folder.

An interrupted or killed training resumes from its last checkpoint when called again. The saved
model is that of the epoch with the highest AUC on the validation examples.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

import dragoman
from dragoman.encoders.transformer import load_transformer
from dragoman.errors import ConfigError, InputError
from dragoman.metrics.auc import AreaUnderCurve
from dragoman.metrics.outcomes import Outcome
from dragoman.protocols import Advance, no_progress
from dragoman.systems.semi_interactive.config import (
    Distillation,
    RelevanceArchitecture,
    SemiInteractiveConfig,
)
from dragoman.systems.semi_interactive.examples import RelevanceExample, examples_digest
from dragoman.systems.semi_interactive.model import RelevanceModel, encoder_names
from dragoman.systems.semi_interactive.objective import RelevanceObjective, training_batches
from dragoman.systems.semi_interactive.tokenized_examples import (
    TokenizedExamples,
    tokenize_examples,
)
from dragoman.systems.semi_interactive.transfer import (
    Teacher,
    load_teacher,
    reuse_embeddings,
    teacher_scores,
)
from dragoman.training.batches import EpochParts, batch_count
from dragoman.training.loop import planned_steps
from dragoman.training.parameters import load_parameters, parameters_digest
from dragoman.training.pretraining.model import COMPARES
from dragoman.training.trainer import TrainedModel, Trainer
from dragoman.training.workspace import open_workspace, publish
from dragoman.types import FloatArray, IntArray

AUC, WITHIN = "AUC", "AUC within queries"
SCORES = ".teacher-scores"  # the folder of cached scores, next to the trained models
CHANCE = 0.5
RELEVANT = 0.5  # minimum label of a relevant document in the validation


@dataclass(frozen=True, slots=True)
class TrainedRelevanceModel(TrainedModel[RelevanceModel]):
    """A trained model and its folder."""

    folder: Path


def pooled_auc(scores: FloatArray, labels: FloatArray) -> float:
    """The probability that a relevant example outscores an irrelevant one, over all examples."""
    grades = (np.asarray(labels) >= RELEVANT).astype(np.int32)
    outcome = Outcome("all", np.asarray(scores), grades, np.zeros(0, dtype=np.int32))
    return float(AreaUnderCurve(AUC, 1).values([outcome], None)[0])


def auc_within_queries(scores: FloatArray, labels: FloatArray, queries: IntArray) -> float:
    """The same among the examples of one query, the mean over queries that have both labels.

    Scores of different queries are not compared: it judges rankings alone. It is that of chance
    where no query has both.
    """
    rows = [queries == query for query in np.unique(queries)]
    judged = [some for some in rows if labels[some].min() < RELEVANT <= labels[some].max()]
    areas = [pooled_auc(scores[some], labels[some]) for some in judged]
    return float(np.mean(areas)) if areas else CHANCE


def validation_measures(model: RelevanceModel, held_out: TokenizedExamples) -> dict[str, float]:
    """The measures of a validation; the first of them decides which model is the best."""
    scores = model.score_tokenized(held_out)
    return {
        AUC: pooled_auc(scores, held_out.labels),
        WITHIN: auc_within_queries(scores, held_out.labels, held_out.query_rows),
    }


def initial_model(encoder: Path | str, config: SemiInteractiveConfig) -> RelevanceModel:
    """The model before its first step: every encoder begins as the first layers of the given one.

    The head is that of an encoder of our own that was pre-trained to compare two texts, if all of
    its layers are used.
    """
    names = encoder_names(config)
    all_layers = load_transformer(encoder).layers <= config.layers
    layers = None if all_layers else config.layers
    encoders = {name: load_transformer(encoder, layers=layers) for name in names}
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(config.seed)
        model = RelevanceModel(config, encoders)
    head = Path(encoder) / COMPARES
    if model.head is not None and all_layers and head.is_file():
        load_parameters(head, model.head, "dragoman train encoder")
    for name in names:  # a step then costs the words of its batch, not the vocabulary
        cast("nn.Embedding", model.encoder(name).get_input_embeddings()).sparse = True
    return model


def train(
    examples: Sequence[RelevanceExample],
    validation: Sequence[RelevanceExample],
    encoder: Path | str,
    config: SemiInteractiveConfig,
    output: Path,
    *,
    teacher: Path | str | None = None,
    cache: Path | None = None,
    validations: int = 1,
    restart: bool = False,
    facts: dict[str, Any] | None = None,
    advance: Advance = no_progress,
) -> TrainedRelevanceModel:
    """The model of the epoch with the best validation AUC, saved in ``output``.

    ``teacher`` is the folder of an interactive model, or a sentence encoder by its name or folder.
    Its scores are cached in ``cache``, by default next to ``output``. With several ``validations``
    an epoch is that part of the examples, and early stopping counts as many more of them. ``facts``
    are saved with the model. SIGINT saves a checkpoint and raises ``Interrupted``.
    """
    _require_both_labels(examples, "training")
    _require_both_labels(validation, "validation")
    if teacher is not None and config.architecture is RelevanceArchitecture.INTERACTIVE:
        raise ConfigError("an interactive model has no teacher; train it without one")
    work = open_workspace(output, restart=restart)
    model = initial_model(encoder, config)
    scores = None
    if teacher is not None:
        folder = cache or output.parent / SCORES
        scores = _transfer_knowledge(model, load_teacher(teacher), examples, folder)
    trained = _trainer(model, examples, validation, scores, work, validations, advance).train()
    result = TrainedRelevanceModel(trained.model, trained.epochs, trained.best_epoch, output)
    result.model.facts = {**_report(result, examples, validation, teacher), **(facts or {})}
    publish(work, output, result.model.write)
    return result


def _transfer_knowledge(
    model: RelevanceModel,
    teacher: Teacher,
    examples: Sequence[RelevanceExample],
    cache: Path,
) -> NDArray[np.float32] | None:
    """Copy the teacher's embeddings; returns its scores for the loss, if used."""
    config = model.config
    if config.reuse_embeddings:
        reuse_embeddings(model, teacher)
    if config.distillation is Distillation.OFF or config.alpha == 1:
        return None
    return teacher_scores(teacher, examples, cache).astype(np.float32)


def training_steps(examples: int, config: SemiInteractiveConfig, validations: int = 1) -> int:
    """The number of steps of a training that does not stop early."""
    steps = batch_count(examples, config.batch_config) // validations
    return planned_steps(steps, config.epochs * validations)


def _trainer(
    model: RelevanceModel,
    examples: Sequence[RelevanceExample],
    validation: Sequence[RelevanceExample],
    teacher: NDArray[np.float32] | None,
    work: Path,
    validations: int,
    advance: Advance,
) -> Trainer[RelevanceModel, IntArray]:
    config = model.config
    tokenized = tokenize_examples(examples, model.input_builder, config)
    held_out = tokenize_examples(validation, model.input_builder, config)

    def validate() -> dict[str, float]:
        return validation_measures(model, held_out)

    settings = replace(
        config.train_config,
        epochs=config.epochs * validations,
        patience=config.patience * validations,
    )
    return Trainer(
        model,
        EpochParts(training_batches(tokenized, config), validations),
        RelevanceObjective(tokenized, teacher),
        settings,
        folder=work,
        settings={
            "examples": examples_digest(examples),
            "validation": examples_digest(validation),
            "first parameters": parameters_digest(model).hex(),
            "teacher": None if teacher is None else sha256(teacher.tobytes()).hexdigest(),
            **config.as_settings(),
        },
        validation=validate,
        advance=advance,
    )


def _report(
    trained: TrainedRelevanceModel,
    examples: Sequence[RelevanceExample],
    validation: Sequence[RelevanceExample],
    teacher: Path | str | None,
) -> dict[str, Any]:
    return {
        "dragoman": dragoman.__version__,
        "teacher": None if teacher is None else Path(teacher).name,
        "languages": {
            "queries": sorted({example.query.language for example in examples}),
            "documents": sorted({example.document.language for example in examples}),
        },
        "examples": {"training": len(examples), "validation": len(validation)},
        "epochs": len(trained.epochs),
        "best_epoch": trained.best_epoch,
        "validation": {AUC: trained.validation} if trained.epochs else {},
    }


def _require_both_labels(examples: Sequence[RelevanceExample], what: str) -> None:
    relevant = sum(example.label >= RELEVANT for example in examples)
    if not 0 < relevant < len(examples):
        raise InputError(
            f"{what} examples",
            None,
            found=f"{relevant:,} relevant of {len(examples):,}",
            expected="relevant and irrelevant ones",
        )
