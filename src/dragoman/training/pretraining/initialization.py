"""Material -> the model before the first step of its layers; what took long is kept in a folder."""

from pathlib import Path

import numpy as np
import torch

from dragoman.protocols import Stage
from dragoman.storage.staging import staged_file
from dragoman.training.checkpoints import has_checkpoint
from dragoman.training.distributed import is_main_process, process_count, wait_for_everyone
from dragoman.training.parameters import read_tensors, write_parameters
from dragoman.training.pretraining.batches import sample_pairs
from dragoman.training.pretraining.config import PretrainConfig, PretrainInit
from dragoman.training.pretraining.cross_attention import initialize_cross_attention
from dragoman.training.pretraining.model import PretrainModel, random_model, set_token_vectors
from dragoman.training.pretraining.ppmi_vectors import ppmi_vectors
from dragoman.training.pretraining.preparation import purpose_rng
from dragoman.training.pretraining.token_vectors import TokenVectorBatches, TokenVectorObjective
from dragoman.training.pretraining.training_data import PretrainingData
from dragoman.training.trainer import CHECKPOINT, Trainer

BAGS, BEGINNING = "bags", "first.safetensors"
FACTORISED = 200_000  # training pairs that are drawn for the first vectors
VECTORS = 4  # what random numbers are drawn for


def initial_model(
    material: PretrainingData, config: PretrainConfig, taught: int, work: Path, stage: Stage
) -> PretrainModel:
    """The model with its first vectors and layers, the same whenever it is asked for."""
    model = random_model(config.encoder, material.counts, config.train.seed, taught)
    if config.first is PretrainInit.DRAWN:
        return model
    if (work / BEGINNING).is_file():
        model.load_state_dict(read_tensors(work / BEGINNING))
        return model
    if not has_checkpoint(work / BAGS / CHECKPOINT):
        advance = stage("first vectors", 1)
        rng = purpose_rng(config, VECTORS)
        rows = np.unique(sample_pairs(material.training, FACTORISED, config.smoothing, rng))
        size = config.encoder.size
        set_token_vectors(
            model, ppmi_vectors(material.training, rows, material.vocabulary, size, rng)
        )
        advance()
    if config.first is PretrainInit.ALIGNED:
        _align_token_vectors(model, material, config, work / BAGS, stage)
    initialize_cross_attention(model, torch.Generator().manual_seed(config.train.seed))
    if is_main_process():
        with staged_file(work / BEGINNING) as staged:
            write_parameters(staged, model)
    wait_for_everyone()
    return model


def _align_token_vectors(
    model: PretrainModel,
    material: PretrainingData,
    config: PretrainConfig,
    folder: Path,
    stage: Stage,
) -> None:
    """Train the vectors of tokens to find translations."""
    if is_main_process():
        folder.mkdir(exist_ok=True)
    wait_for_everyone()
    steps = config.bags.steps // process_count() * config.bags.train.epochs
    fitting = Trainer(
        model,
        TokenVectorBatches(material.training, config),
        TokenVectorObjective(material.training, config.objective.temperature),
        config.bags.train,
        folder=folder,
        settings={"texts": material.digest()},
        advance=stage("token vectors", steps),
    )
    fitting.resume()
    fitting.run()
    model.cpu()
