"""The whole of ``dragoman train searcher``: files of bitext -> a model in a folder.

The training works in a hidden folder beside the target. When it is interrupted or killed, the same
call goes on from its last checkpoint; the model takes its place when all is done.

    .MODEL.training/pretraining/           the translation model on its way
    .MODEL.training/encoder.safetensors    its encoder, when it has ended
    .MODEL.training/log.jsonl ...          the search model on its way
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
from dragoman.storage.staging import staged_file, staged_folder
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
from dragoman.training.distributed import is_main_process, process_count, wait_for_everyone
from dragoman.training.parameters import read_tensors
from dragoman.training.trainer import LOG

ENCODER, FIRST = "encoder.safetensors", "pretraining"


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
    """Train on bitext and save the model; the report that is saved with it.

    ``languages``: that of the first column, which queries are in, and that of the second.
    """
    pair = canonical(languages[0]), canonical(languages[1])
    if pair[0] == pair[1]:
        raise ConfigError(f"found {pair[0]!r} on both sides; expected two languages, as in en-sw")
    stage = stage if is_main_process() else no_stages
    name = "+".join(source.name for source in sources)
    pairs = read_bitext(sources, faults or Faults(), languages=pair)
    material = read_training_data(name, pairs, pair, config, stage("reading", None))
    return train_on(material, config, output, restart=restart, stage=stage)


def train_on(
    material: SearcherTrainingData,
    config: SearcherConfig,
    output: Path,
    *,
    restart: bool = False,
    stage: Stage = no_stages,
) -> dict[str, Any]:
    """Train on numbers that were read before."""
    main = is_main_process()
    work = output.with_name(f".{output.name}.training")
    if main:
        if restart:
            shutil.rmtree(work, ignore_errors=True)
        (work / FIRST).mkdir(parents=True, exist_ok=True)
    wait_for_everyone()
    encoder = _encoder(material, config, work, stage) if config.pretrain else None
    steps = len(training_batches(material, config)) // process_count() * config.train.epochs
    advance = stage("training", steps)
    trained = train(material, config, encoder=encoder, folder=work, advance=advance)
    report = trained.model.facts = build_report(material, trained, config)
    if main:
        with staged_folder(output) as staged:
            trained.model.write(staged)
            shutil.copyfile(work / LOG, staged / LOG)
            if (work / FIRST / LOG).is_file():
                shutil.copyfile(work / FIRST / LOG, staged / f"{FIRST}.jsonl")
        shutil.rmtree(work)
    wait_for_everyone()
    return report


def _encoder(
    material: SearcherTrainingData, config: SearcherConfig, work: Path, stage: Stage
) -> Mapping[str, Tensor]:
    """The encoder that learnt to translate, from ``work`` where it has."""
    if (work / ENCODER).is_file():
        return read_tensors(work / ENCODER)
    assert config.pretrain is not None
    steps = len(translation_batches(material, config.pretrain)) // process_count()
    advance = stage("pre-training", steps * config.pretrain.train.epochs)
    found = pretrain(material, config, folder=work / FIRST, advance=advance).encoder
    if is_main_process():
        with staged_file(work / ENCODER) as staged:
            staged.write_bytes(tensors_to_bytes(found))
    wait_for_everyone()
    return found


def build_report(
    material: SearcherTrainingData, trained: TrainedSearcher, config: SearcherConfig
) -> dict[str, Any]:
    """What is said of a model in its own folder; its calibration is used by searches."""
    logits, labels = (one.ravel() for one in held_out_logits(trained.model, material))
    best = next((one for one in trained.epochs if one.epoch == trained.best_epoch), None)
    plain, scaled = (one.probabilities(logits) for one in (Scaling(), trained.scaling))
    return {
        "bitext": material.name,
        "query_language": material.languages[0],
        "document_language": material.languages[1],
        "dragoman": dragoman.__version__,
        "settings": config.as_settings(),
        "pairs": {"training": len(material.training), "held out": len(material.held_out)},
        "terms": len(material.term_bags),
        "epochs": len(trained.epochs),
        "best_epoch": trained.best_epoch,
        "held_out": dict(best.validation) if best else {},
        "calibration": asdict(trained.scaling),
        "expected_calibration_error": {
            "before": expected_error(plain, labels),
            "after": expected_error(scaled, labels),
        },
    }
