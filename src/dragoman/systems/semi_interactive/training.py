"""Examples and a pre-trained encoder -> a trained model in a folder.

The training works in a hidden folder beside the target. When it is interrupted or killed, the same
call goes on from its last checkpoint; the model takes its place when all is done. The epoch with
the highest AUC on the validation examples is kept.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import inf
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
from dragoman.storage.staging import staged_folder
from dragoman.systems.semi_interactive.config import (
    Distillation,
    RelevanceArchitecture,
    SemiInteractiveConfig,
)
from dragoman.systems.semi_interactive.examples import RelevanceExample, examples_digest
from dragoman.systems.semi_interactive.model import RelevanceModel, encoder_names
from dragoman.systems.semi_interactive.objective import RelevanceBatches, RelevanceObjective
from dragoman.systems.semi_interactive.tokenized_examples import tokenize_examples
from dragoman.systems.semi_interactive.transfer import (
    Teacher,
    load_teacher,
    reuse_embeddings,
    teacher_scores,
)
from dragoman.training.batches import batch_count
from dragoman.training.distributed import is_main_process, process_count, wait_for_everyone
from dragoman.training.parameters import load_parameters, parameters_digest
from dragoman.training.pretraining.model import COMPARES
from dragoman.training.trainer import LOG, Epoch, Trainer
from dragoman.types import FloatArray

AUC = "AUC"
SCORES = ".teacher-scores"  # a folder beside the models that learn from a teacher
RELEVANT = 0.5  # the label from which on a document counts as relevant in the validation


@dataclass(frozen=True, slots=True)
class TrainedRelevanceModel:
    """A model, where it is, what every epoch measured, and which epoch it is of."""

    model: RelevanceModel
    folder: Path
    epochs: tuple[Epoch, ...]
    best_epoch: int

    @property
    def validation(self) -> float:
        """The AUC on the validation examples; minus infinity before any epoch."""
        return max((epoch.validation[AUC] for epoch in self.epochs), default=-inf)


def pooled_auc(scores: FloatArray, labels: FloatArray) -> float:
    """How often a relevant example outscores another, over all of them together."""
    grades = (np.asarray(labels) >= RELEVANT).astype(np.int32)
    outcome = Outcome("all", np.asarray(scores), grades, np.zeros(0, dtype=np.int32))
    return float(AreaUnderCurve(AUC, 1).values([outcome], None)[0])


def initial_model(encoder: Path | str, config: SemiInteractiveConfig) -> RelevanceModel:
    """The model before its first step: every encoder is the pre-trained one, its first layers.

    An encoder of our own that was pre-trained to compare two texts brings the head that told, for
    the states of its last layer.
    """
    names = encoder_names(config)
    whole = load_transformer(encoder).layers <= config.layers
    kept = None if whole else config.layers
    encoders = {name: load_transformer(encoder, layers=kept) for name in names}
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(config.seed)
        model = RelevanceModel(config, encoders)
    told = Path(encoder) / COMPARES
    if model.head is not None and whole and told.is_file():
        load_parameters(told, model.head, "dragoman train encoder")
    for name in names:  # a step then costs the words of its batch, not all words
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
    restart: bool = False,
    facts: dict[str, Any] | None = None,
    advance: Advance = no_progress,
) -> TrainedRelevanceModel:
    """The model of the epoch with the best validation AUC, saved in ``output``.

    ``teacher`` is the folder of an interactive model, or a sentence encoder by its name or folder.
    Its scores are kept in ``cache``, by default beside ``output``. ``facts`` are saved with the
    model; ``advance`` is told of every step. SIGINT saves the training and raises ``Interrupted``.
    """
    _require_both_labels(examples, "training")
    _require_both_labels(validation, "validation")
    if teacher is not None and config.architecture is RelevanceArchitecture.INTERACTIVE:
        raise ConfigError("an interactive model is a teacher and has none; train it without")
    main = is_main_process()
    work = output.with_name(f".{output.name}.training")
    if main:
        if restart:
            shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True, exist_ok=True)
    wait_for_everyone()
    model = initial_model(encoder, config)
    taught = None
    if teacher is not None:
        kept = cache or output.parent / SCORES
        taught = _transfer_knowledge(model, load_teacher(teacher), examples, kept)
    fitting = _trainer(model, examples, validation, taught, work, advance)
    fitting.resume()
    fitting.run()
    model = cast("RelevanceModel", fitting.model.cpu().eval())
    trained = TrainedRelevanceModel(
        model, output, tuple(fitting.epochs), fitting.progress.best_epoch
    )
    model.facts = {**_report(trained, examples, validation, teacher), **(facts or {})}
    if main:
        with staged_folder(output) as staged:
            model.write(staged)
            shutil.copyfile(work / LOG, staged / LOG)
        shutil.rmtree(work)
    wait_for_everyone()
    return trained


def _transfer_knowledge(
    model: RelevanceModel,
    teacher: Teacher,
    examples: Sequence[RelevanceExample],
    cache: Path,
) -> NDArray[np.float32] | None:
    """Pass the teacher's knowledge on: embeddings at once, scores for the loss."""
    config = model.config
    if config.reuse_embeddings:
        reuse_embeddings(model, teacher)
    if config.distillation is Distillation.OFF or config.alpha == 1:
        return None
    return teacher_scores(teacher, examples, cache).astype(np.float32)


def training_steps(examples: int, config: SemiInteractiveConfig) -> int:
    """How many steps a training has that does not stop early."""
    return batch_count(examples, config.batch_config) // process_count() * config.epochs


def _trainer(
    model: RelevanceModel,
    examples: Sequence[RelevanceExample],
    validation: Sequence[RelevanceExample],
    taught: NDArray[np.float32] | None,
    work: Path,
    advance: Advance,
) -> Trainer:
    config = model.config
    prepared = tokenize_examples(examples, model.reader, config)
    judged = tokenize_examples(validation, model.reader, config)

    def validate() -> dict[str, float]:
        return {AUC: pooled_auc(model.score_prepared(judged), judged.labels)}

    return Trainer(
        model,
        RelevanceBatches.of(prepared, config),
        RelevanceObjective(prepared, taught),
        config.train_config,
        folder=work,
        settings={
            "examples": examples_digest(examples),
            "validation": examples_digest(validation),
            "first parameters": parameters_digest(model).hex(),
            "teacher": None if taught is None else sha256(taught.tobytes()).hexdigest(),
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
            "queries": sorted({one.query.language for one in examples}),
            "documents": sorted({one.document.language for one in examples}),
        },
        "examples": {"training": len(examples), "validation": len(validation)},
        "epochs": len(trained.epochs),
        "best_epoch": trained.best_epoch,
        "validation": {AUC: trained.validation} if trained.epochs else {},
    }


def _require_both_labels(examples: Sequence[RelevanceExample], what: str) -> None:
    relevant = sum(one.label >= RELEVANT for one in examples)
    if not 0 < relevant < len(examples):
        raise InputError(
            f"{what} examples",
            None,
            found=f"{relevant:,} relevant of {len(examples):,}",
            expected="relevant and other ones",
        )
