"""Trainings of smooth learning -> their results, saved on disk and reused by a second call.

RUNS/NAME.json    settings, epochs, values of every test query, scores by grade
"""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from dragoman.embeddings.word_vectors import WordVectors
from dragoman.experiments.run_cache import as_json, load_result, save_result
from dragoman.experiments.smooth.authors_texts import with_authors_texts
from dragoman.protocols import Advance, no_progress
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.grid import Grid, at_edge, scaled_values, search_thresholds
from dragoman.systems.smooth.model import SmoothModel
from dragoman.systems.smooth.objective import build_loss, sample_training_pairs
from dragoman.systems.smooth.training import SmoothDataset, build_dataset, train
from dragoman.systems.smooth.training_data import TEST, TRAIN, JudgedPairs, SmoothTrainingData
from dragoman.systems.smooth.validation import values_per_query
from dragoman.training.trainer import TrainedModel
from dragoman.types import FloatArray

BINS = 100  # of the score densities, from -1 to 1


@dataclass(frozen=True, kw_only=True, slots=True)
class SmoothTraining:
    """One training: its settings and the number of negatives that it draws."""

    name: str
    config: SmoothConfig
    negatives: int = 0  # per query in all splits, drawn at random; 0 uses those of the collection
    grid: Grid | None = None  # of the threshold search; None uses the thresholds of ``config``
    rates: tuple[float, ...] = ()  # learning rates to try; () uses that of ``config``
    authors_texts: bool = False  # unknown words and padding as in the authors' code

    def settings(self) -> dict[str, Any]:
        """As JSON values; a saved result with other settings is not used."""
        settings = as_json(asdict(self))
        if not self.authors_texts:
            del settings["authors_texts"]  # as in results that were saved before there was one
        return settings


@dataclass(frozen=True, slots=True)
class GradeScores:
    """The scores of the training pairs of one grade by the trained model."""

    pairs: int
    mean: float  # of their scores
    spread: float  # standard deviation
    unsettled: float  # the share of pairs with a non-zero gradient of the loss
    pull: float  # their share of the sum of |dL/dr| over all pairs
    density: tuple[float, ...] = ()  # of their scores, in BINS from -1 to 1


@dataclass(frozen=True, slots=True)
class SmoothTrainingResult:
    """The values of a training on the test queries, and its log."""

    name: str
    settings: Mapping[str, Any]
    thresholds: tuple[float, ...]
    learning_rate: float
    best_epoch: int
    epochs: tuple[Mapping[str, Any], ...]
    seconds: float  # of processor time, for everything that was tried
    values: Mapping[str, FloatArray]  # measure -> one value per test query
    grades: tuple[GradeScores, ...] = ()

    def mean(self, measure: str) -> float:
        """The mean over the test queries."""
        return float(np.mean(self.values[measure]))

    @property
    def at_edge(self) -> bool:
        """Whether the grid search ended at the edge of its grid."""
        grid = self.settings["grid"]
        if not grid:
            return False
        values = scaled_values(grid["values"], self.settings["config"]["limit"])
        return at_edge(self.thresholds, values)


def run_training(
    run: SmoothTraining,
    data: SmoothTrainingData,
    vectors: Mapping[str, WordVectors],
    folder: Path,
    advance: Advance = no_progress,
) -> SmoothTrainingResult:
    """The result of a training, from ``folder`` where it has one with the same settings."""
    result = saved_result(run, data, vectors, folder)
    if result is None:
        result = _train(run, _with_drawn_negatives(data, run), vectors)
        _save(folder / f"{run.name}.json", result, data_signature(data, vectors))
    advance()
    return result


def saved_result(
    run: SmoothTraining,
    data: SmoothTrainingData,
    vectors: Mapping[str, WordVectors],
    folder: Path,
) -> SmoothTrainingResult | None:
    """The result in ``folder``; None where there is none with the same settings and data."""
    expected = {"settings": run.settings(), "material": data_signature(data, vectors)}
    saved = load_result(folder / f"{run.name}.json", expected)
    if saved is None:
        return None
    del saved["material"]
    saved["values"] = {name: np.array(column) for name, column in saved["values"].items()}
    for name in ("thresholds", "epochs"):
        saved[name] = tuple(saved[name])
    saved["grades"] = tuple(
        GradeScores(**{**one, "density": tuple(one["density"])}) for one in saved["grades"]
    )
    return SmoothTrainingResult(**saved)


def _with_drawn_negatives(data: SmoothTrainingData, run: SmoothTraining) -> SmoothTrainingData:
    """The data with the training's number of irrelevant documents per query."""
    if not run.negatives:
        return data
    rng = np.random.default_rng((run.config.train.seed, run.negatives))
    pool = len(data.documents)
    drawn = {
        split: sample_training_pairs(pairs, pool, run.negatives, rng)
        for split, pairs in data.pairs.items()
    }
    return replace(data, pairs=drawn)


def _train(
    run: SmoothTraining, data: SmoothTrainingData, vectors: Mapping[str, WordVectors]
) -> SmoothTrainingResult:
    started = time.process_time()
    config = run.config
    dataset = build_dataset(data, config, vectors)
    if run.authors_texts:
        dataset = with_authors_texts(dataset, config)
    if run.grid:
        tried = search_thresholds(dataset, config, vectors, run.grid)
        config = replace(config, thresholds=tried[0].thresholds)
    rates = run.rates or (config.train.learning_rate,)
    configs = [replace(config, train=replace(config.train, learning_rate=rate)) for rate in rates]
    attempts = [train(dataset, one, vectors) for one in configs]
    best = max(range(len(attempts)), key=lambda n: attempts[n].validation)
    config, trained = configs[best], attempts[best]
    seconds = time.process_time() - started
    pairs = data.pairs[TEST]
    values = values_per_query(data, pairs, dataset.scores(trained.model, pairs))
    return SmoothTrainingResult(
        name=run.name,
        settings=run.settings(),
        thresholds=config.thresholds,
        learning_rate=config.train.learning_rate,
        best_epoch=trained.best_epoch,
        epochs=tuple(asdict(epoch) for epoch in trained.epochs),
        seconds=seconds,
        values=values,
        grades=_grades(dataset, trained, config),
    )


def _grades(
    dataset: SmoothDataset, trained: TrainedModel[SmoothModel], config: SmoothConfig
) -> tuple[GradeScores, ...]:
    """The final scores of the training pairs by grade (Figure 3), and their gradients."""
    pairs = dataset.data.pairs[TRAIN]
    scores = dataset.scores(trained.model, pairs)
    pulls = _pulls(scores, pairs, build_loss(config, dataset.data.classes))
    grades = []
    for grade in range(dataset.data.classes):
        chosen = pairs.grades == grade
        size = max(int(chosen.sum()), 1)
        counts, _ = np.histogram(scores[chosen], bins=BINS, range=(-1, 1))
        one = GradeScores(
            pairs=int(chosen.sum()),
            mean=float(scores[chosen].sum()) / size,
            spread=float(scores[chosen].std()) if chosen.any() else 0.0,
            unsettled=float((pulls[chosen] > 0).sum()) / size,
            pull=float(pulls[chosen].sum() / (pulls.sum() or 1.0)),
            density=tuple((counts / size / (2 / BINS)).tolist()),
        )
        grades.append(one)
    return tuple(grades)


def _pulls(scores: NDArray[np.float32], pairs: JudgedPairs, loss: nn.Module) -> NDArray[np.float64]:
    """|dL/dr| of every pair."""
    with torch.enable_grad():
        given = torch.from_numpy(scores.copy()).requires_grad_()
        loss(given, torch.from_numpy(pairs.grades)).sum().backward()
    assert given.grad is not None
    return np.abs(given.grad.numpy().astype(np.float64))


def data_signature(data: SmoothTrainingData, vectors: Mapping[str, WordVectors]) -> dict[str, Any]:
    """What identifies the data of a training; a saved result with other data is not used."""
    return {
        "name": data.name,
        "documents": len(data.documents),
        "pairs": {split: len(pairs) for split, pairs in data.pairs.items()},
        "vectors": {code: one.digest for code, one in vectors.items()},
    }


def _save(path: Path, result: SmoothTrainingResult, signature: Mapping[str, Any]) -> None:
    plain = {key: getattr(result, key) for key in SmoothTrainingResult.__dataclass_fields__}
    plain["values"] = {name: column.tolist() for name, column in result.values.items()}
    plain["grades"] = [asdict(grade) for grade in result.grades]
    save_result(path, {**plain, "material": signature})
