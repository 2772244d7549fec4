"""Material -> the model before the first step of its layers; what took long is kept in a folder."""

from pathlib import Path

import numpy as np
import torch

from dragoman.protocols import Stage
from dragoman.storage.staging import staged_file
from dragoman.training.checkpoints import has_checkpoint
from dragoman.training.fitting import CHECKPOINT, Fitting
from dragoman.training.parameters import read_tensors, write_parameters
from dragoman.training.pretraining.bags import BagBatches, BagObjective
from dragoman.training.pretraining.batches import drawn_pairs
from dragoman.training.pretraining.config import First, PretrainConfig
from dragoman.training.pretraining.first_layers import look_across
from dragoman.training.pretraining.first_vectors import shared_vectors
from dragoman.training.pretraining.material import Material
from dragoman.training.pretraining.model import PretrainModel, begin_with, first_model
from dragoman.training.pretraining.preparation import purpose_rng
from dragoman.training.sharing import is_main_process, process_count, wait_for_everyone

BAGS, BEGINNING = "bags", "first.safetensors"
FACTORISED = 200_000  # training pairs that are drawn for the first vectors
VECTORS = 4  # what random numbers are drawn for


def beginning(
    material: Material, config: PretrainConfig, taught: int, work: Path, stage: Stage
) -> PretrainModel:
    """The model with its first vectors and layers, the same whenever it is asked for."""
    model = first_model(config.encoder, material.counts, config.train.seed, taught)
    if config.first is First.DRAWN:
        return model
    if (work / BEGINNING).is_file():
        model.load_state_dict(read_tensors(work / BEGINNING))
        return model
    if not has_checkpoint(work / BAGS / CHECKPOINT):
        advance = stage("first vectors", 1)
        rng = purpose_rng(config, VECTORS)
        rows = np.unique(drawn_pairs(material.training, FACTORISED, config.smoothing, rng))
        size = config.encoder.size
        begin_with(model, shared_vectors(material.training, rows, material.vocabulary, size, rng))
        advance()
    if config.first is First.ALIGNED:
        _align(model, material, config, work / BAGS, stage)
    look_across(model, torch.Generator().manual_seed(config.train.seed))
    if is_main_process():
        with staged_file(work / BEGINNING) as staged:
            write_parameters(staged, model)
    wait_for_everyone()
    return model


def _align(
    model: PretrainModel, material: Material, config: PretrainConfig, folder: Path, stage: Stage
) -> None:
    """Train the vectors of tokens to find translations."""
    if is_main_process():
        folder.mkdir(exist_ok=True)
    wait_for_everyone()
    steps = config.bags.steps // process_count() * config.bags.train.epochs
    fitting = Fitting(
        model,
        BagBatches(material.training, config),
        BagObjective(material.training, config.objective.temperature),
        config.bags.train,
        folder=folder,
        settings={"texts": material.digest()},
        advance=stage("token vectors", steps),
    )
    fitting.resume()
    fitting.run()
    model.cpu()
