"""Training data of a bitext -> a trained model."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

from dragoman.metrics.calibration import Scaling, fit_scaling
from dragoman.protocols import Advance, no_progress
from dragoman.systems.searcher.config import SearcherConfig
from dragoman.systems.searcher.examples import SearcherBatches, label_batch
from dragoman.systems.searcher.initialization import InitialVectors
from dragoman.systems.searcher.model import PORTION, SearcherModel
from dragoman.systems.searcher.objective import SearcherObjective, cross_entropy
from dragoman.systems.searcher.training_data import SearcherTrainingData
from dragoman.training.trainer import TrainedModel, Trainer
from dragoman.types import FloatArray


@dataclass(frozen=True, slots=True)
class TrainedSearcher(TrainedModel[SearcherModel]):
    """A trained model with its calibration."""

    scaling: Scaling  # of logits, fitted on the held-out pairs


def initial_model(data: SearcherTrainingData, config: SearcherConfig) -> SearcherModel:
    """The model before its first step."""
    rng = np.random.default_rng((config.train.seed, len(data.training)))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.train.seed)
        model = SearcherModel(config.model, data.terms, data.words, rng)
    if data.initial is not None:
        _set_initial_vectors(model, data.initial)
    return model


@torch.no_grad()
def _set_initial_vectors(model: SearcherModel, initial: InitialVectors) -> None:
    """Replace random vectors by known ones; unknown rows stay random."""
    tables = ((model.queries, initial.terms), (model.sentences.table, initial.words))
    for table, vectors in tables:
        known = torch.from_numpy(vectors.any(axis=1))
        table.weight[known, : vectors.shape[1]] = torch.from_numpy(vectors)[known]


def training_batches(data: SearcherTrainingData, config: SearcherConfig) -> SearcherBatches:
    """The batches of the training pairs."""
    return SearcherBatches(data.training.terms, config.batch, config.batch_terms)


def train(
    data: SearcherTrainingData,
    config: SearcherConfig,
    *,
    encoder: Mapping[str, Tensor] | None = None,
    folder: Path | None = None,
    advance: Advance = no_progress,
) -> TrainedSearcher:
    """The model of the epoch with the highest likelihood of the held-out pairs.

    ``encoder`` are the parameters of a pre-trained sentence encoder. With a ``folder``, an
    interrupted training is saved there and resumes when called again.
    """
    model = initial_model(data, config)
    if encoder is not None:
        model.sentences.load_state_dict(dict(encoder))
    trainer = Trainer(
        model,
        training_batches(data, config),
        SearcherObjective(data.term_bags, data.word_bags, data.training.texts),
        config.train,
        folder=folder,
        settings={"bitext": data.name, **config.as_settings()},
        validation=lambda: held_out_measures(model, data),
        advance=advance,
    )
    trained = trainer.train()
    logits, labels = held_out_logits(trained.model, data)
    scaling = fit_scaling(logits.ravel(), labels.ravel())
    return TrainedSearcher(trained.model, trained.epochs, trained.best_epoch, scaling)


@torch.no_grad()
def held_out_logits(
    model: SearcherModel, data: SearcherTrainingData
) -> tuple[FloatArray, FloatArray]:
    """The logits and the labels of the held-out pairs, (terms, sentences) each."""
    model.eval()
    pairs = data.held_out
    rows = np.arange(len(pairs))
    batch = label_batch(pairs.terms, rows, len(pairs.terms.words) + 1, np.random.default_rng(0))
    logits = [
        model.logits(
            data.term_bags,
            batch.terms,
            data.word_bags,
            pairs.texts,
            rows[start : start + PORTION],
        )
        for start in range(0, len(rows), PORTION)
    ]
    return torch.cat(logits, dim=1).cpu().numpy(), batch.labels


def held_out_measures(model: SearcherModel, data: SearcherTrainingData) -> dict[str, float]:
    """Minus the loss on held-out pairs, and mean average precision of terms over sentences.

    The loss is that of calibrated logits: it measures how well one threshold separates the pairs of
    all queries, whatever the number of negatives in a batch.
    """
    logits, labels = held_out_logits(model, data)
    if not len(logits):
        return {"log-likelihood": 0.0, "AP": 0.0}
    scaling = fit_scaling(logits.ravel(), labels.ravel())
    scaled = torch.from_numpy(scaling.slope * logits + scaling.offset)
    loss = cross_entropy(scaled, torch.from_numpy(labels))
    return {"log-likelihood": -float(loss), "AP": average_precision(logits, labels)}


def average_precision(scores: FloatArray, labels: FloatArray) -> float:
    """The mean over rows, each of which must have a relevant column."""
    order = np.argsort(-scores, axis=1, kind="stable")
    ranked = np.take_along_axis(labels, order, axis=1)
    precision = np.cumsum(ranked, axis=1) / np.arange(1, ranked.shape[1] + 1)
    return float(((precision * ranked).sum(axis=1) / ranked.sum(axis=1)).mean())
