"""The steps of ``dragoman train searcher``: files of bitext -> a model in a folder.

An interrupted or killed training resumes from its last checkpoint when called again.

    .MODEL.training/pretraining/           checkpoint of the translation model
    .MODEL.training/encoder.safetensors    its encoder, when it is trained
    .MODEL.training/log.jsonl ...          log and checkpoint of the search model
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from safetensors.torch import save as tensors_to_bytes
from torch import Tensor

import dragoman
from dragoman.errors import ConfigError
from dragoman.metrics.calibration import Scaling, expected_error
from dragoman.protocols import Stage, no_stages
from dragoman.systems.searcher.config import SearcherConfig
from dragoman.systems.searcher.pretraining import pretrain, translation_batches
from dragoman.systems.searcher.training import (
    TrainedSearcher,
    held_out_logits,
    train,
    training_batches,
)
from dragoman.systems.searcher.training_data import SearcherTrainingData, read_training_data
from dragoman.text.files import Faults
from dragoman.text.languages import canonical
from dragoman.text.source import read_bitext
from dragoman.training.distributed import is_main_process, wait_for_everyone
from dragoman.training.loop import planned_steps
from dragoman.training.parameters import read_tensors
from dragoman.training.trainer import LOG
from dragoman.training.workspace import open_workspace, publish, write_shared

ENCODER, PRETRAINING = "encoder.safetensors", "pretraining"


def run_pipeline(
    sources: Sequence[Path],
    languages: tuple[str, str],
    config: SearcherConfig,
    output: Path,
    *,
    faults: Faults | None = None,
    restart: bool = False,
    stage: Stage = no_stages,
) -> dict[str, Any]:
    """Train on bitext and save the model; returns the report that is saved with it.

    ``languages`` are those of the first column, the query language, and of the second.
    """
    pair = canonical(languages[0]), canonical(languages[1])
    if pair[0] == pair[1]:
        raise ConfigError(f"found {pair[0]!r} on both sides; expected two languages, as in en-sw")
    stage = stage if is_main_process() else no_stages
    name = "+".join(source.name for source in sources)
    pairs = read_bitext(sources, faults or Faults(), languages=pair)
    data = read_training_data(name, pairs, pair, config, stage("reading", None))
    return train_on(data, config, output, restart=restart, stage=stage)


def train_on(
    data: SearcherTrainingData,
    config: SearcherConfig,
    output: Path,
    *,
    restart: bool = False,
    stage: Stage = no_stages,
) -> dict[str, Any]:
    """Train on data that is read already."""
    work = open_workspace(output, restart=restart)
    encoder = _pretrained_encoder(data, config, work, stage) if config.pretrain else None
    steps = planned_steps(len(training_batches(data, config)), config.train.epochs)
    advance = stage("training", steps)
    trained = train(data, config, encoder=encoder, folder=work, advance=advance)
    report = trained.model.facts = build_report(data, trained, config)

    def write(folder: Path) -> None:
        trained.model.write(folder)
        if (work / PRETRAINING / LOG).is_file():
            shutil.copyfile(work / PRETRAINING / LOG, folder / f"{PRETRAINING}.jsonl")

    publish(work, output, write)
    return report


def _pretrained_encoder(
    data: SearcherTrainingData, config: SearcherConfig, work: Path, stage: Stage
) -> Mapping[str, Tensor]:
    """The parameters of the encoder of the translation model, from ``work`` if they are there."""
    if (work / ENCODER).is_file():
        return read_tensors(work / ENCODER)
    assert config.pretrain is not None
    batches = len(translation_batches(data, config.pretrain))
    advance = stage("pre-training", planned_steps(batches, config.pretrain.train.epochs))
    folder = work / PRETRAINING
    if is_main_process():
        folder.mkdir(exist_ok=True)
    wait_for_everyone()
    parameters = pretrain(data, config, folder=folder, advance=advance).encoder
    write_shared(work / ENCODER, lambda path: path.write_bytes(tensors_to_bytes(parameters)))
    return parameters


def build_report(
    data: SearcherTrainingData, trained: TrainedSearcher, config: SearcherConfig
) -> dict[str, Any]:
    """The report in a model's folder; searches use its calibration."""
    logits, labels = (array.ravel() for array in held_out_logits(trained.model, data))
    best = next((epoch for epoch in trained.epochs if epoch.epoch == trained.best_epoch), None)
    plain, scaled = (scaling.probabilities(logits) for scaling in (Scaling(), trained.scaling))
    return {
        "bitext": data.name,
        "query_language": data.languages[0],
        "document_language": data.languages[1],
        "dragoman": dragoman.__version__,
        "settings": config.as_settings(),
        "pairs": {"training": len(data.training), "held out": len(data.held_out)},
        "terms": len(data.term_bags),
        "epochs": len(trained.epochs),
        "best_epoch": trained.best_epoch,
        "held_out": dict(best.validation) if best else {},
        "calibration": asdict(trained.scaling),
        "expected_calibration_error": {
            "before": expected_error(plain, labels),
            "after": expected_error(scaled, labels),
        },
    }
