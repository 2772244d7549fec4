"""The whole of ``dragoman train encoder``: bitext and collections -> an encoder in a folder.

The training works in a hidden folder beside the target. When it is interrupted or killed, the same
call goes on from its last checkpoint; the encoder takes its place when all is done.

    .ENCODER.training/settings.json      what it began with; another call must ask for the same
    .ENCODER.training/tokenizer.json     learnt first
    .ENCODER.training/teacher/           the teacher's vectors, where there is one
    .ENCODER.training/bags/              token vectors on their way
    .ENCODER.training/first.safetensors  the parameters to begin with, when these have ended
    .ENCODER.training/log.jsonl ...      the encoder on its way
"""

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import log
from pathlib import Path
from typing import Any

import numpy as np

import dragoman
from dragoman.encoders.sentence_encoder import SentenceEncoder
from dragoman.errors import ConfigError
from dragoman.protocols import Stage, no_stages
from dragoman.storage.facts import Format
from dragoman.storage.staging import staged_file, staged_folder
from dragoman.text.files import Faults
from dragoman.training.distributed import is_main_process, process_count, wait_for_everyone
from dragoman.training.pretraining.batches import PretrainBatches
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
    comparison_auc,
    first_rows_per_group,
    perplexity,
    retrieval_accuracy,
)
from dragoman.training.trainer import LOG, Trainer
from dragoman.types import FloatArray

FORMAT = Format("dragoman-pretraining", 1, "dragoman train encoder")
BEGUN = Format("dragoman-pretraining-begun", 1, "dragoman train encoder")
FACTS, SETTINGS = "pretraining.json", "settings.json"
VALIDATED = 100  # held-out pairs of each group that measure an epoch


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
    """Train an encoder and save it; the report that is saved with it."""
    main = is_main_process()
    stage = stage if main else no_stages
    work = output.with_name(f".{output.name}.training")
    if main:
        if restart:
            shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True, exist_ok=True)
    wait_for_everyone()
    texts = read_texts(sources, collections, config, faults or Faults(), stage)
    settings = _settings(texts, config, teacher)
    _check_settings(work, settings)
    read = prepare_inputs(texts, config, teacher, work, stage)
    dimension = read.taught.dimension if read.taught else 0
    model = initial_model(read.material, config, dimension, work, stage)
    vectors = model.vectors.detach().numpy().copy()  # what says which pairs look alike
    fitting = _trainer(model, read, config, settings, vectors, work, stage)
    fitting.resume()
    fitting.run()
    report = {
        "teacher": teacher.name if teacher else "",
        "collections": [Path(name).name for name in collections],
        **_report(model.cpu(), read.material, config, vectors, fitting),
    }
    if main:
        with staged_folder(output) as staged:
            write_encoder(staged, model, read.tokenizer, config.encoder)
            shutil.copyfile(work / LOG, staged / LOG)
            FORMAT.write(staged / FACTS, report)
        shutil.rmtree(work)
    wait_for_everyone()
    return report


def _settings(
    texts: PretrainTexts, config: PretrainConfig, teacher: SentenceEncoder | None
) -> dict[str, Any]:
    """What must be equal for an interrupted training to go on, before any text is cut."""
    bitext = texts.bitext
    found = {
        "bitext": dict(zip(bitext.names, bitext.sizes().tolist(), strict=True)),
        "bodies": len(texts.bodies),
        "teacher": teacher.signature if teacher else "",
        **config.as_settings(),
    }
    plain: dict[str, Any] = json.loads(json.dumps(found))
    return plain


def _check_settings(work: Path, settings: Mapping[str, Any]) -> None:
    """Refuse to go on with a tokenizer and vectors that were made for other settings."""
    path = work / SETTINGS
    if path.is_file():
        before = BEGUN.read(path)
        for name in sorted(before.keys() | settings.keys()):
            if before.get(name) != settings.get(name):
                raise ConfigError(
                    f"{work}: the training began with {name} {before.get(name)!r}; now it is"
                    f" {settings.get(name)!r}. Go on with the old setting, or start again with"
                    " --restart."
                )
    wait_for_everyone()
    if is_main_process():
        with staged_file(path) as staged:
            BEGUN.write(staged, settings)


def _trainer(
    model: PretrainModel,
    read: PretrainInputs,
    config: PretrainConfig,
    settings: Mapping[str, Any],
    vectors: FloatArray,
    work: Path,
    stage: Stage,
) -> Trainer:
    material, masked = read.material, config.objective.masked
    rows = first_rows_per_group(material.held_out, VALIDATED)

    def validation() -> dict[str, float]:
        found = retrieval_accuracy(model, material.held_out, VALIDATED)
        told = comparison_auc(model, material.held_out, VALIDATED, vectors)
        surprise = perplexity(model, material.held_out, rows, masked, together=False)
        # what decides which epoch is kept: token vectors find translations from the start, and
        # the layers have only begun to learn when they find most
        return {
            "log-likelihood": -log(surprise),
            "accuracy": float(np.mean([one.accuracy for one in found.values()])),
            **({"comparing": float(np.mean(list(told.values())))} if told else {}),
        }

    steps = config.steps // process_count() * config.train.epochs
    return Trainer(
        model,
        PretrainBatches(material, config, vectors),
        PretrainObjective(material.training, config.objective, read.taught),
        config.train,
        folder=work,
        settings={"texts": material.digest(), **settings},
        validation=validation,
        advance=stage("training", steps),
    )


def _report(
    model: PretrainModel,
    material: PretrainingData,
    config: PretrainConfig,
    vectors: FloatArray,
    fitting: Trainer,
) -> dict[str, Any]:
    """What is said of an encoder in its own folder."""
    held, masked = material.held_out, config.objective.masked
    found = retrieval_accuracy(model, held, config.held_out)
    told = comparison_auc(model, held, config.held_out, vectors)
    rows = np.arange(len(held))
    return {
        "dragoman": dragoman.__version__,
        "settings": config.as_settings(),
        "bitext": list(held.names),
        "pairs": {"training": len(material.training), "held out": len(held)},
        "pieces": len(material.plain),
        "vocabulary": material.vocabulary,
        "epochs": len(fitting.epochs),
        "best_epoch": fitting.progress.best_epoch,
        "retrieval": {name: asdict(one) for name, one in found.items()},
        "accuracy": float(np.mean([one.accuracy for one in found.values()])),
        "comparing": told,
        "perplexity": {
            "apart": perplexity(model, held, rows, masked, together=False),
            "together": perplexity(model, held, rows, masked, together=True),
        },
    }
