"""Trainings of smooth learning -> what each measured, kept on disk so that none is done twice.

RUNS/NAME.json    settings, epochs, values of every test query, score densities by grade
"""

import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.protocols import Advance, silent
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.grid import search_thresholds
from dragoman.systems.smooth.judging import per_query
from dragoman.systems.smooth.learning import Numbered, Trained, number, train
from dragoman.systems.smooth.material import TEST, TRAIN, Material, Pairs
from dragoman.systems.smooth.objective import with_negatives
from dragoman.text.files import write_lines
from dragoman.types import FloatArray
from dragoman.vectors.words import WordVectors

BINS = 100  # of the score densities, from -1 to 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One training: its settings, and what is done to the collection before."""

    name: str
    config: SmoothConfig
    negatives: int = 0  # of every query in all splits, drawn; 0 keeps the collection's
    grid: tuple[float, ...] = ()  # values that thresholds are searched among; () keeps them
    grid_epochs: int = 0

    def settings(self) -> dict[str, Any]:
        """Plain values; a kept result with others is thrown away."""
        plain: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return plain


@dataclass(frozen=True, slots=True)
class Result:
    """What a run measured on the test queries, and on the way."""

    name: str
    settings: Mapping[str, Any]
    thresholds: tuple[float, ...]
    best_epoch: int
    epochs: tuple[Mapping[str, Any], ...]
    seconds: float  # of training, validation included
    values: Mapping[str, FloatArray]  # measure -> one value per test query
    densities: tuple[tuple[float, ...], ...] = field(default=())  # grade -> BINS numbers

    def mean(self, measure: str) -> float:
        """The mean over the test queries."""
        return float(np.mean(self.values[measure]))


def perform(
    run: Run,
    material: Material,
    vectors: Mapping[str, WordVectors],
    folder: Path,
    advance: Advance = silent,
) -> Result:
    """The result of a run, from ``folder`` where it was done before with the same settings."""
    path = folder / f"{run.name}.json"
    kept = _kept(path, run, material)
    if kept is None:
        kept = _performed(run, _drawn(material, run), vectors)
        _keep(path, kept, material)
    advance()
    return kept


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
    started = time.monotonic()
    config = run.config
    numbered = number(material, config, vectors)
    if run.grid:
        tried = search_thresholds(
            numbered, config, vectors, epochs=run.grid_epochs, values=run.grid
        )
        config = replace(config, thresholds=tried[0].thresholds)
    trained = train(numbered, config, vectors)
    seconds = time.monotonic() - started
    pairs = material.pairs[TEST]
    values = per_query(material, pairs, numbered.scores(trained.model, pairs))
    return Result(
        name=run.name,
        settings=run.settings(),
        thresholds=config.thresholds,
        best_epoch=trained.best_epoch,
        epochs=tuple(asdict(epoch) for epoch in trained.epochs),
        seconds=seconds,
        values=values,
        densities=_densities(numbered, trained),
    )


def _densities(numbered: Numbered, trained: Trained) -> tuple[tuple[float, ...], ...]:
    """The density of the training pairs' scores for every grade (the paper's Figure 3)."""
    pairs = numbered.material.pairs[TRAIN]
    scores = numbered.scores(trained.model, pairs)
    found = []
    for grade in range(numbered.material.classes):
        mine = scores[pairs.grades == grade]
        counts, _ = np.histogram(mine, bins=BINS, range=(-1, 1))
        found.append(tuple((counts / max(len(mine), 1) / (2 / BINS)).tolist()))
    return tuple(found)


def fewer_queries(material: Material, most: Mapping[str, int]) -> Material:
    """At most so many queries of each split, evenly from the first to the last; 0 keeps all."""
    return replace(
        material,
        pairs={split: _fewer(pairs, most[split]) for split, pairs in material.pairs.items()},
    )


def _fewer(pairs: Pairs, most: int) -> Pairs:
    queries = np.unique(pairs.queries)
    if not most or len(queries) <= most:
        return pairs
    chosen = queries[np.arange(most) * len(queries) // most]
    return pairs.where(np.isin(pairs.queries, chosen))


def _signature(material: Material) -> dict[str, Any]:
    sizes = {split: len(pairs) for split, pairs in material.pairs.items()}
    return {"name": material.name, "documents": len(material.documents), "pairs": sizes}


def _kept(path: Path, run: Run, material: Material) -> Result | None:
    if not path.is_file():
        return None
    saved = json.loads(path.read_text(encoding="utf-8"))
    if saved.pop("material") != _signature(material) or saved["settings"] != run.settings():
        return None
    saved["values"] = {name: np.array(column) for name, column in saved["values"].items()}
    for name in ("thresholds", "epochs"):
        saved[name] = tuple(saved[name])
    saved["densities"] = tuple(tuple(one) for one in saved["densities"])
    return Result(**saved)


def _keep(path: Path, result: Result, material: Material) -> None:
    values = {name: column.tolist() for name, column in result.values.items()}
    with write_lines(path) as stream:
        plain = {key: getattr(result, key) for key in Result.__dataclass_fields__}
        stream.write(json.dumps({**plain, "values": values, "material": _signature(material)}))
