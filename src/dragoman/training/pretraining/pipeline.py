"""The steps of ``dragoman train encoder``: bitext and collections -> an encoder in a folder.

An interrupted or killed training resumes from its last checkpoint when called again.

    .ENCODER.training/settings.json      the settings, which must be the same in another call
    .ENCODER.training/tokenizer.json     learnt first
    .ENCODER.training/teacher/           the teacher's vectors, if there is one
    .ENCODER.training/bags/              log and checkpoint of the token vectors
    .ENCODER.training/first.safetensors  the initial parameters, when these are trained
    .ENCODER.training/log.jsonl ...      log and checkpoint of the encoder
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import log
from pathlib import Path
from typing import Any

import numpy as np

import dragoman
from dragoman.encoders.sentence_encoder import SentenceEncoder
from dragoman.protocols import Stage, no_stages
from dragoman.storage.facts import Format
from dragoman.text.files import Faults
from dragoman.training.checkpoints import refuse_changed_settings
from dragoman.training.distributed import is_main_process, wait_for_everyone
from dragoman.training.loop import planned_steps
from dragoman.training.pretraining.batches import PretrainBatch, PretrainBatches
from dragoman.training.pretraining.config import PretrainConfig
from dragoman.training.pretraining.initialization import initial_model
from dragoman.training.pretraining.model import PretrainModel, write_encoder
from dragoman.training.pretraining.objective import PretrainObjective
from dragoman.training.pretraining.preparation import (
    PretrainInputs,
    PretrainTexts,
    prepare_inputs,
    read_texts,
)
from dragoman.training.pretraining.training_data import PretrainingData
from dragoman.training.pretraining.validation import (
    RetrievalAccuracy,
    comparison_auc,
    first_rows_per_group,
    perplexity,
    retrieval_accuracy,
)
from dragoman.training.trainer import TrainedModel, Trainer
from dragoman.training.workspace import open_workspace, publish, write_shared
from dragoman.types import FloatArray

FORMAT = Format("dragoman-pretraining", 1, "dragoman train encoder")
BEGUN = Format("dragoman-pretraining-begun", 1, "dragoman train encoder")
FACTS, SETTINGS = "pretraining.json", "settings.json"
VALIDATION_PAIRS = 100  # of each group, after every epoch


def run_pipeline(
    sources: Sequence[Path],
    config: PretrainConfig,
    output: Path,
    *,
    collections: Sequence[str] = (),
    teacher: SentenceEncoder | None = None,
    faults: Faults | None = None,
    restart: bool = False,
    stage: Stage = no_stages,
) -> dict[str, Any]:
    """Train an encoder and save it; returns the report that is saved with it."""
    stage = stage if is_main_process() else no_stages
    work = open_workspace(output, restart=restart)
    texts = read_texts(sources, collections, config, faults or Faults(), stage)
    settings = _settings(texts, config, teacher)
    _check_settings(work, settings)
    inputs = prepare_inputs(texts, config, teacher, work, stage)
    dimension = inputs.teacher.dimension if inputs.teacher else 0
    model = initial_model(inputs.data, config, dimension, work, stage)
    vectors = model.vectors.detach().numpy().copy()  # for the similarity of pairs
    trained = _trainer(model, inputs, config, settings, vectors, work, stage).train()
    report = {
        "teacher": teacher.name if teacher else "",
        "collections": [Path(name).name for name in collections],
        **_report(trained, inputs.data, config, vectors),
    }

    def write(folder: Path) -> None:
        write_encoder(folder, trained.model, inputs.tokenizer, config.encoder)
        FORMAT.write(folder / FACTS, report)

    publish(work, output, write)
    return report


def _settings(
    texts: PretrainTexts, config: PretrainConfig, teacher: SentenceEncoder | None
) -> dict[str, Any]:
    """What must be equal to resume a training, before texts are tokenized."""
    bitext = texts.bitext
    settings = {
        "bitext": dict(zip(bitext.names, bitext.sizes().tolist(), strict=True)),
        "bodies": len(texts.bodies),
        "teacher": teacher.signature if teacher else "",
        **config.as_settings(),
    }
    plain: dict[str, Any] = json.loads(json.dumps(settings))
    return plain


def _check_settings(work: Path, settings: Mapping[str, Any]) -> None:
    """Refuse to resume with a tokenizer and vectors of other settings."""
    path = work / SETTINGS
    if path.is_file():
        refuse_changed_settings(work, BEGUN.read(path), settings)
    wait_for_everyone()
    write_shared(path, lambda part: BEGUN.write(part, settings))


def _trainer(
    model: PretrainModel,
    inputs: PretrainInputs,
    config: PretrainConfig,
    settings: Mapping[str, Any],
    vectors: FloatArray,
    work: Path,
    stage: Stage,
) -> Trainer[PretrainModel, PretrainBatch]:
    data, masked = inputs.data, config.objective.masked
    rows = first_rows_per_group(data.held_out, VALIDATION_PAIRS)

    def validation() -> dict[str, float]:
        retrieval = retrieval_accuracy(model, data.held_out, VALIDATION_PAIRS)
        aucs = comparison_auc(model, data.held_out, VALIDATION_PAIRS, vectors)
        masked_perplexity = perplexity(model, data.held_out, rows, masked, concatenated=False)
        # the likelihood decides which epoch is best: token vectors alone already retrieve most
        # translations, when the layers have hardly been trained
        return {
            "log-likelihood": -log(masked_perplexity),
            "accuracy": _mean_accuracy(retrieval),
            **({"comparing": float(np.mean(list(aucs.values())))} if aucs else {}),
        }

    steps = planned_steps(config.steps, config.train.epochs)
    return Trainer(
        model,
        PretrainBatches(data, config, vectors),
        PretrainObjective(data.training, config.objective, inputs.teacher),
        config.train,
        folder=work,
        settings={"texts": data.digest(), **settings},
        validation=validation,
        advance=stage("training", steps),
    )


def _report(
    trained: TrainedModel[PretrainModel],
    data: PretrainingData,
    config: PretrainConfig,
    vectors: FloatArray,
) -> dict[str, Any]:
    """The report in an encoder's folder."""
    model, held_out, masked = trained.model, data.held_out, config.objective.masked
    retrieval = retrieval_accuracy(model, held_out, config.held_out)
    aucs = comparison_auc(model, held_out, config.held_out, vectors)
    rows = np.arange(len(held_out))
    return {
        "dragoman": dragoman.__version__,
        "settings": config.as_settings(),
        "bitext": list(held_out.names),
        "pairs": {"training": len(data.training), "held out": len(held_out)},
        "pieces": len(data.plain),
        "vocabulary": data.vocabulary,
        "epochs": len(trained.epochs),
        "best_epoch": trained.best_epoch,
        "retrieval": {name: asdict(accuracy) for name, accuracy in retrieval.items()},
        "accuracy": _mean_accuracy(retrieval),
        "comparing": aucs,
        "perplexity": {
            "apart": perplexity(model, held_out, rows, masked, concatenated=False),
            "together": perplexity(model, held_out, rows, masked, concatenated=True),
        },
    }


def _mean_accuracy(retrieval: Mapping[str, RetrievalAccuracy]) -> float:
    return float(np.mean([group.accuracy for group in retrieval.values()]))
