"""Trainings of smooth learning -> what each measured, kept on disk so that none is done twice.

RUNS/NAME.json    settings, epochs, values of every test query, what became of every grade
"""

import json
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
from dragoman.protocols import Advance, no_progress
from dragoman.storage.staging import write_lines
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.grid import Grid, search_thresholds
from dragoman.systems.smooth.judging import per_query
from dragoman.systems.smooth.learning import Numbered, Trained, number, train
from dragoman.systems.smooth.material import TEST, TRAIN, Material, Pairs
from dragoman.systems.smooth.objective import loss_of, with_negatives
from dragoman.types import FloatArray

BINS = 100  # of the score densities, from -1 to 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One training: its settings, and what is done to the collection before."""

    name: str
    config: SmoothConfig
    negatives: int = 0  # of every query in all splits, drawn; 0 keeps the collection's
    grid: Grid | None = None  # how thresholds are searched; None keeps those of the settings
    rates: tuple[float, ...] = ()  # learning rates that are tried; () keeps that of the settings

    def settings(self) -> dict[str, Any]:
        """Plain values; a kept result with others is thrown away."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return plain


@dataclass(frozen=True, slots=True)
class Grade:
    """The training pairs of one grade, as the trained model scores them."""

    pairs: int
    mean: float  # of their scores
    spread: float  # standard deviation
    unsettled: float  # the share of them that the loss still moves
    pull: float  # their share of all that the loss moves: of the sum of |dL/dr|
    density: tuple[float, ...] = ()  # of their scores, in BINS from -1 to 1


@dataclass(frozen=True, slots=True)
class Result:
    """What a run measured on the test queries, and on the way."""

    name: str
    settings: Mapping[str, Any]
    thresholds: tuple[float, ...]
    learning_rate: float
    best_epoch: int
    epochs: tuple[Mapping[str, Any], ...]
    seconds: float  # of the processor, for all that was tried
    values: Mapping[str, FloatArray]  # measure -> one value per test query
    grades: tuple[Grade, ...] = ()

    def mean(self, measure: str) -> float:
        """The mean over the test queries."""
        return float(np.mean(self.values[measure]))


def perform(
    run: Run,
    material: Material,
    vectors: Mapping[str, WordVectors],
    folder: Path,
    advance: Advance = no_progress,
) -> Result:
    """The result of a run, from ``folder`` where it was done before with the same settings."""
    found = performed_before(run, material, vectors, folder)
    if found is None:
        found = _performed(run, _drawn(material, run), vectors)
        _keep(folder / f"{run.name}.json", found, _signature(material, vectors))
    advance()
    return found


def performed_before(
    run: Run, material: Material, vectors: Mapping[str, WordVectors], folder: Path
) -> Result | None:
    """The result that ``folder`` keeps of the run; None where there is none with its settings."""
    path = folder / f"{run.name}.json"
    if not path.is_file():
        return None
    saved = json.loads(path.read_text(encoding="utf-8"))
    if saved.pop("material") != _signature(material, vectors):
        return None
    if saved["settings"] != run.settings():
        return None
    saved["values"] = {name: np.array(column) for name, column in saved["values"].items()}
    for name in ("thresholds", "epochs"):
        saved[name] = tuple(saved[name])
    saved["grades"] = tuple(
        Grade(**{**one, "density": tuple(one["density"])}) for one in saved["grades"]
    )
    return Result(**saved)


def _drawn(material: Material, run: Run) -> Material:
    """The material with as many irrelevant documents a query as the run asks for."""
    if not run.negatives:
        return material
    rng = np.random.default_rng((run.config.train.seed, run.negatives))
    pool = len(material.documents)
    drawn = {
        split: with_negatives(pairs, pool, run.negatives, rng)
        for split, pairs in material.pairs.items()
    }
    return replace(material, pairs=drawn)


def _performed(run: Run, material: Material, vectors: Mapping[str, WordVectors]) -> Result:
    started = time.process_time()
    config = run.config
    numbered = number(material, config, vectors)
    if run.grid:
        tried = search_thresholds(numbered, config, vectors, run.grid)
        config = replace(config, thresholds=tried[0].thresholds)
    rates = run.rates or (config.train.learning_rate,)
    configs = [replace(config, train=replace(config.train, learning_rate=rate)) for rate in rates]
    attempts = [train(numbered, one, vectors) for one in configs]
    best = max(range(len(attempts)), key=lambda n: attempts[n].validation)
    config, trained = configs[best], attempts[best]
    seconds = time.process_time() - started
    pairs = material.pairs[TEST]
    values = per_query(material, pairs, numbered.scores(trained.model, pairs))
    return Result(
        name=run.name,
        settings=run.settings(),
        thresholds=config.thresholds,
        learning_rate=config.train.learning_rate,
        best_epoch=trained.best_epoch,
        epochs=tuple(asdict(epoch) for epoch in trained.epochs),
        seconds=seconds,
        values=values,
        grades=_grades(numbered, trained, config),
    )


def _grades(numbered: Numbered, trained: Trained, config: SmoothConfig) -> tuple[Grade, ...]:
    """Where the training pairs of every grade ended (the paper's Figure 3), and what moves them."""
    pairs = numbered.material.pairs[TRAIN]
    scores = numbered.scores(trained.model, pairs)
    pulls = _pulls(scores, pairs, loss_of(config, numbered.material.classes))
    found = []
    for grade in range(numbered.material.classes):
        mine = pairs.grades == grade
        size = max(int(mine.sum()), 1)
        counts, _ = np.histogram(scores[mine], bins=BINS, range=(-1, 1))
        one = Grade(
            pairs=int(mine.sum()),
            mean=float(scores[mine].sum()) / size,
            spread=float(scores[mine].std()) if mine.any() else 0.0,
            unsettled=float((pulls[mine] > 0).sum()) / size,
            pull=float(pulls[mine].sum() / (pulls.sum() or 1.0)),
            density=tuple((counts / size / (2 / BINS)).tolist()),
        )
        found.append(one)
    return tuple(found)


def _pulls(scores: NDArray[np.float32], pairs: Pairs, loss: nn.Module) -> NDArray[np.float64]:
    """|dL/dr| of every pair."""
    with torch.enable_grad():
        given = torch.from_numpy(scores.copy()).requires_grad_()
        loss(given, torch.from_numpy(pairs.grades)).sum().backward()
    assert given.grad is not None
    return np.abs(given.grad.numpy().astype(np.float64))


def _signature(material: Material, vectors: Mapping[str, WordVectors]) -> dict[str, Any]:
    return {
        "name": material.name,
        "documents": len(material.documents),
        "pairs": {split: len(pairs) for split, pairs in material.pairs.items()},
        "vectors": {code: found.digest for code, found in vectors.items()},
    }


def _keep(path: Path, result: Result, signature: Mapping[str, Any]) -> None:
    plain = {key: getattr(result, key) for key in Result.__dataclass_fields__}
    plain["values"] = {name: column.tolist() for name, column in result.values.items()}
    plain["grades"] = [asdict(grade) for grade in result.grades]
    with write_lines(path) as stream:
        stream.write(json.dumps({**plain, "material": signature}))
