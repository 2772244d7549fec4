"""Short trainings -> their gradient norms, losses and values, saved and reused by a second call.

RUNS/stability-*.json    settings, the gradient norm of every step, losses, values of test queries
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from math import inf, isfinite, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from dragoman.embeddings.word_vectors import WordVectors
from dragoman.experiments.run_cache import as_json, load_result, save_result
from dragoman.experiments.smooth.runs import data_signature
from dragoman.protocols import Advance, no_progress
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.model import SmoothModel
from dragoman.systems.smooth.objective import SmoothObjective, build_loss
from dragoman.systems.smooth.theory import sosl_generalisation_gap
from dragoman.systems.smooth.training import (
    VALIDATED_BY,
    SmoothDataset,
    build_dataset,
    initial_model,
    training_batches,
)
from dragoman.systems.smooth.training_data import TEST, TRAIN, JudgedPairs, SmoothTrainingData
from dragoman.systems.smooth.validation import values_per_query
from dragoman.training.distributed import create_accelerator
from dragoman.training.loop import run_epoch
from dragoman.training.optimizer import RowAdam
from dragoman.types import FloatArray

MEASURE = VALIDATED_BY[0]
DELTA = 0.05  # Theorem 3's bound holds with probability 1 - DELTA


class FirstVectors(StrEnum):
    """The word vectors that a training begins with."""

    DRAWN = "drawn"  # from N(0, 1), so that their length is about the root of their dimension
    GIVEN = "given"  # by --vectors, scaled to the length of drawn ones
    SHORT = "given, of length one"  # given, an eighth as long in 64 dimensions
    OWN = "given, with their own lengths"  # given, as long as in their file

    @property
    def given(self) -> bool:
        """Whether they are read from files."""
        return self is not FirstVectors.DRAWN


@dataclass(frozen=True, kw_only=True, slots=True)
class StabilityTraining:
    """One epoch with SOSL: its settings and its first vectors."""

    config: SmoothConfig
    first: FirstVectors

    @property
    def name(self) -> str:
        """Its file's name without the ending."""
        train, first = self.config.train, self.first.name.lower()
        return (
            f"stability-{first}-epsilon-{self.config.model.epsilon:g}"
            f"-clip-{train.max_gradient_norm:g}-rate-{train.learning_rate:g}-seed-{train.seed}"
        )

    def settings(self) -> dict[str, Any]:
        """As JSON values; a saved result with other settings is not used."""
        return as_json(asdict(self))


@dataclass(frozen=True, slots=True)
class StabilityResult:
    """What one epoch of training did."""

    norms: FloatArray  # of the gradient in every step, before clipping
    diverged: bool  # whether a loss or a score was not finite
    pairs: int  # of training
    train_loss: float  # the mean over training pairs, after the epoch
    test_loss: float
    values: FloatArray  # MEASURE of every test query; 0 where the training has diverged

    @property
    def mean(self) -> float:
        """The mean over the test queries."""
        return float(self.values.mean())

    @property
    def gap(self) -> float:
        """The generalisation gap that was measured: test loss minus training loss."""
        return self.test_loss - self.train_loss


def bounded_gap(training: StabilityTraining, result: StabilityResult) -> float:
    """Theorem 3's bound of the gap, for SGD with steps c/t where c is the learning rate.

    Trainings use Adam with a constant rate, whose steps are longer: the bound is only compared in
    size. Infinite for the plain cosine, which has no Lipschitz constant.
    """
    config = training.config
    if not config.model.epsilon:
        return inf
    return sosl_generalisation_gap(
        result.pairs,
        len(result.norms),
        epsilon=config.model.epsilon,
        thresholds=config.thresholds,
        step=config.train.learning_rate,
        delta=DELTA,
    )


def run_stability(
    trainings: Iterable[StabilityTraining],
    data: SmoothTrainingData,
    vectors: Mapping[str, WordVectors],
    folder: Path,
    *,
    only_done: bool = False,
    advance: Advance = no_progress,
) -> dict[StabilityTraining, StabilityResult]:
    """The result of every training, from ``folder`` where it has one with the same settings.

    With ``only_done`` the others are left out. All trainings read their texts in the same way, so
    that texts are tokenized once for each kind of first vectors. A clip above every norm of the
    training without clipping changes nothing, so its result is that training's.
    """
    datasets: dict[bool, SmoothDataset] = {}
    results: dict[StabilityTraining, StabilityResult] = {}
    for training in trainings:
        given = vectors if training.first.given else {}
        path = folder / f"{training.name}.json"
        expected = {"settings": training.settings(), "material": data_signature(data, given)}
        result = _saved(path, expected) or _unchanged_by_clipping(training, results)
        if result is None and not only_done:
            if bool(given) not in datasets:
                datasets[bool(given)] = build_dataset(data, training.config, given)
            result = train_one_epoch(training, datasets[bool(given)], given)
            _save(path, result, expected)
        if result is not None:
            results[training] = result
        advance()
    return results


def _unchanged_by_clipping(
    training: StabilityTraining, results: Mapping[StabilityTraining, StabilityResult]
) -> StabilityResult | None:
    """The result of the training without clipping, if the clip is above all of its norms."""
    clip = training.config.train.max_gradient_norm
    without = replace(training.config.train, max_gradient_norm=0.0)
    result = results.get(replace(training, config=replace(training.config, train=without)))
    if result is None or result.diverged or result.norms.max(initial=0.0) >= clip:
        return None
    return result


def train_one_epoch(
    training: StabilityTraining, dataset: SmoothDataset, vectors: Mapping[str, WordVectors]
) -> StabilityResult:
    """Train for an epoch, or until the loss is not finite, and measure."""
    config = training.config
    model = initial_model(dataset, config, vectors)
    if training.first is FirstVectors.SHORT:
        _shorten(model)
    loss = build_loss(config, dataset.data.classes)
    # clipping at infinity measures the norms
    measured = replace(config.train, max_gradient_norm=config.train.max_gradient_norm or inf)
    norms, finite = [], True
    for step in run_epoch(
        model,
        training_batches(dataset, config),
        SmoothObjective(dataset.queries, dataset.documents, loss),
        RowAdam(model.parameters(), config.train.learning_rate),
        measured,
        create_accelerator(),
        epoch=0,
    ):
        assert step.gradient_norm is not None
        norms.append(step.gradient_norm)
        finite = isfinite(step.loss) and isfinite(step.gradient_norm)
        if not finite:
            break
    return _measure(model.eval(), dataset, loss, np.array(norms), finite)


def _measure(
    model: SmoothModel, dataset: SmoothDataset, loss: nn.Module, norms: FloatArray, finite: bool
) -> StabilityResult:
    data = dataset.data
    pairs = data.pairs[TEST]
    scores = {split: dataset.scores(model, data.pairs[split]) for split in (TRAIN, TEST)}
    finite = finite and all(bool(np.isfinite(some).all()) for some in scores.values())
    if finite:
        values = values_per_query(data, pairs, scores[TEST], [MEASURE])[MEASURE]
    else:
        values = np.zeros(len(np.unique(pairs.queries)))
    losses = {
        split: mean_loss(some, data.pairs[split], loss) if finite else inf
        for split, some in scores.items()
    }
    sizes = len(data.pairs[TRAIN])
    return StabilityResult(norms, not finite, sizes, losses[TRAIN], losses[TEST], values)


def mean_loss(scores: FloatArray, pairs: JudgedPairs, loss: nn.Module) -> float:
    """The mean loss of some pairs."""
    with torch.no_grad():
        given = torch.from_numpy(scores.astype(np.float64))
        return float(loss(given, torch.from_numpy(pairs.grades)).mean())


def _shorten(model: SmoothModel) -> None:
    """Divide the word vectors by the root of their dimension: given ones then have length one."""
    with torch.no_grad():
        for tower in (model.queries, model.documents):
            tower.table.weight.div_(sqrt(tower.table.dimension))


def _saved(path: Path, expected: Mapping[str, object]) -> StabilityResult | None:
    saved = load_result(path, expected)
    if saved is None:
        return None
    fields = {name: saved[name] for name in StabilityResult.__dataclass_fields__}
    arrays = {name: np.array(fields[name], dtype=np.float64) for name in ("norms", "values")}
    return StabilityResult(**{**fields, **arrays})


def _save(path: Path, result: StabilityResult, signature: Mapping[str, object]) -> None:
    fields = {name: getattr(result, name) for name in StabilityResult.__dataclass_fields__}
    arrays = {name: fields[name].tolist() for name in ("norms", "values")}
    save_result(path, {**fields, **arrays, **signature})
