"""Grid search of thresholds: short trainings, compared on the validation pairs (section 5)."""

from collections.abc import Iterable, Mapping, Sequence
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
    """The candidate values as shares of the limit of scores, and how long each training is."""

    values: tuple[float, ...] = (0.0, 0.2, 0.45, 0.7, 0.9)
    epochs: int = 3
    train: int = 0  # training queries, spread over the split; 0 uses all
    validation: int = 0  # validation queries, in the same way


@dataclass(frozen=True, slots=True)
class GridResult:
    """Thresholds, and the best validation value of a training with them."""

    thresholds: tuple[float, ...]
    value: float


def candidates(
    config: SmoothConfig, classes: int, grid: Grid | None = None
) -> list[tuple[float, ...]]:
    """All ascending thresholds for so many grades, and the default of the loss if it fits."""
    values = scaled_values((grid or Grid()).values, config.limit)
    count = config.loss.threshold_count(classes)
    choices = set(combinations(values, count))
    if not choices:
        raise ConfigError(f"{classes} grades need {count} different values, got {values}")
    default = config.loss.thresholds
    fits = len(default) == count and max(default) < config.limit
    return sorted(choices | {default} if fits else choices)


def scaled_values(values: Iterable[float], limit: float) -> list[float]:
    """The thresholds to choose from: the values of a grid times the limit of the scores."""
    return sorted({round(value * limit, 6) for value in values})


def at_edge(thresholds: Sequence[float], values: Sequence[float]) -> bool:
    """Whether a threshold is the first or the last of the values: a better one may lie beyond."""
    return thresholds[0] <= min(values) or thresholds[-1] >= max(values)


def search_thresholds(
    dataset: SmoothDataset,
    config: SmoothConfig,
    vectors: Mapping[str, WordVectors] | None = None,
    grid: Grid | None = None,
    advance: Advance = no_progress,
) -> list[GridResult]:
    """All candidates, best first; ``advance`` is called after each."""
    grid = grid or Grid()
    data = dataset.data.limit_queries({TRAIN: grid.train, VALIDATION: grid.validation})
    dataset = replace(dataset, data=data)
    results = []
    for thresholds in candidates(config, data.classes, grid):
        short = replace(config.train, epochs=grid.epochs)
        trained = train(dataset, replace(config, thresholds=thresholds, train=short), vectors)
        results.append(GridResult(thresholds, trained.validation))
        advance()
    return sorted(results, key=lambda result: (-result.value, result.thresholds))
