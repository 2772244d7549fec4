"""Thresholds by grid search: short trainings, judged on the validation pairs (section 5)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import ConfigError
from dragoman.protocols import Advance, no_progress
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.training import SmoothDataset, train
from dragoman.systems.smooth.training_data import TRAIN, VALIDATION


@dataclass(frozen=True, kw_only=True, slots=True)
class Grid:
    """What is tried, and how much is trained for it."""

    values: tuple[float, ...] = (0.0, 0.2, 0.45, 0.7, 0.9)
    epochs: int = 3
    train: int = 0  # queries to train on, spread over the split; 0 takes all
    validation: int = 0  # queries to judge by, in the same way


@dataclass(frozen=True, slots=True)
class GridResult:
    """Thresholds, and the best value of the validation measure with them."""

    thresholds: tuple[float, ...]
    value: float


def candidates(
    config: SmoothConfig, classes: int, grid: Grid | None = None
) -> list[tuple[float, ...]]:
    """Every rising choice of thresholds for so many grades, and the loss's own where they fit."""
    values = sorted(set((grid or Grid()).values))
    count = config.loss.threshold_count(classes)
    found = set(combinations(values, count))
    if not found:
        raise ConfigError(f"{classes} grades need {count} different values, got {values}")
    own = config.loss.thresholds
    return sorted(found | {own} if len(own) == count else found)


def search_thresholds(
    numbered: SmoothDataset,
    config: SmoothConfig,
    vectors: Mapping[str, WordVectors] | None = None,
    grid: Grid | None = None,
    advance: Advance = no_progress,
) -> list[GridResult]:
    """All candidates, best first; told of every candidate done."""
    grid = grid or Grid()
    material = numbered.material.fewer({TRAIN: grid.train, VALIDATION: grid.validation})
    numbered = replace(numbered, material=material)
    tried = []
    for thresholds in candidates(config, material.classes, grid):
        short = replace(config.train, epochs=grid.epochs)
        trained = train(numbered, replace(config, thresholds=thresholds, train=short), vectors)
        tried.append(GridResult(thresholds, trained.validation))
        advance()
    return sorted(tried, key=lambda one: (-one.value, one.thresholds))
