"""Numbers of a bitext -> a trained model: the encoder first, where configured, then the whole."""

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
from dragoman.training.trainer import Epoch, Trainer
from dragoman.types import FloatArray


@dataclass(frozen=True, slots=True)
class TrainedSearcher:
    """A model, what every epoch measured, and which epoch the model is of."""

    model: SearcherModel
    epochs: tuple[Epoch, ...]
    best_epoch: int
    scaling: Scaling  # of logits, fitted on the held-out pairs


def initial_model(material: SearcherTrainingData, config: SearcherConfig) -> SearcherModel:
    """The model before its first step."""
    rng = np.random.default_rng((config.train.seed, len(material.training)))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(config.train.seed)
        model = SearcherModel(config.model, material.terms, material.words, rng)
    if material.first is not None:
        _set_initial_vectors(model, material.first)
    return model


@torch.no_grad()
def _set_initial_vectors(model: SearcherModel, first: InitialVectors) -> None:
    """Put known vectors in the place of drawn ones; rows of which nothing is known stay drawn."""
    for table, given in ((model.queries, first.terms), (model.sentences.table, first.words)):
        known = torch.from_numpy(given.any(axis=1))
        table.weight[known, : given.shape[1]] = torch.from_numpy(given)[known]


def training_batches(material: SearcherTrainingData, config: SearcherConfig) -> SearcherBatches:
    """The training pairs, batch by batch."""
    return SearcherBatches(material.training.terms, config.batch, config.batch_terms)


def train(
    material: SearcherTrainingData,
    config: SearcherConfig,
    *,
    encoder: Mapping[str, Tensor] | None = None,
    folder: Path | None = None,
    advance: Advance = no_progress,
) -> TrainedSearcher:
    """The model of the epoch that made held-out pairs likeliest.

    ``encoder`` holds the parameters of a sentence encoder that was trained before. With a
    ``folder``, an interrupted training is saved there and goes on when called again.
    """
    model = initial_model(material, config)
    if encoder is not None:
        model.sentences.load_state_dict(dict(encoder))
    fitting = Trainer(
        model,
        training_batches(material, config),
        SearcherObjective(material.term_bags, material.word_bags, material.training.texts),
        config.train,
        folder=folder,
        settings={"bitext": material.name, **config.as_settings()},
        validation=lambda: held_out_measures(model, material),
        advance=advance,
    )
    fitting.resume()
    fitting.run()
    logits, labels = held_out_logits(model.cpu(), material)
    scaling = fit_scaling(logits.ravel(), labels.ravel())
    return TrainedSearcher(
        model.eval(), tuple(fitting.epochs), fitting.progress.best_epoch, scaling
    )


@torch.no_grad()
def held_out_logits(
    model: SearcherModel, material: SearcherTrainingData
) -> tuple[FloatArray, FloatArray]:
    """(terms, sentences) twice: what the model says of the held-out pairs, and the truth."""
    model.eval()
    part = material.held_out
    rows = np.arange(len(part))
    everything = label_batch(part.terms, rows, len(part.terms.words) + 1, np.random.default_rng(0))
    found = [
        model.logits(
            material.term_bags,
            everything.terms,
            material.word_bags,
            part.texts,
            rows[start : start + PORTION],
        )
        for start in range(0, len(rows), PORTION)
    ]
    return torch.cat(found, dim=1).cpu().numpy(), everything.labels


def held_out_measures(model: SearcherModel, material: SearcherTrainingData) -> dict[str, float]:
    """Minus the loss on held-out pairs, and mean average precision of terms over sentences.

    The loss is that of scaled logits: what counts is whether pairs of all queries can be told apart
    by one threshold, not how many negatives a batch had.
    """
    logits, labels = held_out_logits(model, material)
    if not len(logits):
        return {"log-likelihood": 0.0, "AP": 0.0}
    scaling = fit_scaling(logits.ravel(), labels.ravel())
    scaled = torch.from_numpy(scaling.slope * logits + scaling.offset)
    loss = cross_entropy(scaled, torch.from_numpy(labels))
    return {"log-likelihood": -float(loss), "AP": average_precision(logits, labels)}


def average_precision(scores: FloatArray, labels: FloatArray) -> float:
    """The mean over rows; every row has a relevant column."""
    order = np.argsort(-scores, axis=1, kind="stable")
    found = np.take_along_axis(labels, order, axis=1)
    precision = np.cumsum(found, axis=1) / np.arange(1, found.shape[1] + 1)
    return float(((precision * found).sum(axis=1) / found.sum(axis=1)).mean())
