"""Training data -> the model before the training of its layers, cached in the workspace."""

from pathlib import Path

import numpy as np
import torch

from dragoman.protocols import Stage
from dragoman.training.checkpoints import has_checkpoint
from dragoman.training.distributed import is_main_process, wait_for_everyone
from dragoman.training.loop import planned_steps
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
from dragoman.training.workspace import write_shared

TOKEN_VECTORS, INITIAL = "bags", "first.safetensors"
FACTORISED = 200_000  # training pairs sampled for the PPMI vectors
VECTORS = 4  # part of the random seed


def initial_model(
    data: PretrainingData, config: PretrainConfig, taught: int, work: Path, stage: Stage
) -> PretrainModel:
    """The model with its initial vectors and layers; the same in every call."""
    model = random_model(config.encoder, data.counts, config.train.seed, taught)
    if config.first is PretrainInit.RANDOM:
        return model
    if (work / INITIAL).is_file():
        model.load_state_dict(read_tensors(work / INITIAL))
        return model
    if not has_checkpoint(work / TOKEN_VECTORS / CHECKPOINT):
        advance = stage("initial vectors", 1)
        rng = purpose_rng(config, VECTORS)
        rows = np.unique(sample_pairs(data.training, FACTORISED, config.smoothing, rng))
        size = config.encoder.size
        set_token_vectors(model, ppmi_vectors(data.training, rows, data.vocabulary, size, rng))
        advance()
    if config.first is PretrainInit.ALIGNED:
        _align_token_vectors(model, data, config, work / TOKEN_VECTORS, stage)
    initialize_cross_attention(model, torch.Generator().manual_seed(config.train.seed))
    write_shared(work / INITIAL, lambda path: write_parameters(path, model))
    return model


def _align_token_vectors(
    model: PretrainModel,
    data: PretrainingData,
    config: PretrainConfig,
    folder: Path,
    stage: Stage,
) -> None:
    """Train the token vectors on translation pairs."""
    if is_main_process():
        folder.mkdir(exist_ok=True)
    wait_for_everyone()
    steps = planned_steps(config.bags.steps, config.bags.train.epochs)
    Trainer(
        model,
        TokenVectorBatches(data.training, config),
        TokenVectorObjective(data.training, config.objective.temperature),
        config.bags.train,
        folder=folder,
        settings={"texts": data.digest()},
        advance=stage("token vectors", steps),
    ).train()
