"""Thresholds by grid search: short trainings, judged on the validation pairs (section 5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from dragoman.errors import ConfigError
from dragoman.protocols import Advance, silent
from dragoman.systems.smooth.config import SmoothConfig
from dragoman.systems.smooth.learning import VALIDATED_BY, Numbered, train
from dragoman.vectors.words import WordVectors

VALUES = (0.0, 0.2, 0.45, 0.7, 0.9)


@dataclass(frozen=True, slots=True)
class Tried:
    """Thresholds, and the best value of the validation measure with them."""

    thresholds: tuple[float, ...]
    value: float


def candidates(classes: int, values: Sequence[float] = VALUES) -> list[tuple[float, ...]]:
    """Every rising choice of thresholds for so many grades."""
    found = list(combinations(sorted(set(values)), classes - 1))
    if not found:
        raise ConfigError(f"{classes} grades need {classes - 1} different values, got {values}")
    return found


def search_thresholds(
    numbered: Numbered,
    config: SmoothConfig,
    vectors: Mapping[str, WordVectors] | None = None,
    *,
    epochs: int,
    values: Sequence[float] = VALUES,
    advance: Advance = silent,
) -> list[Tried]:
    """All candidates, best first, each trained for ``epochs``; told of every candidate done."""
    tried = []
    for thresholds in candidates(numbered.material.classes, values):
        short = replace(config.train, epochs=epochs)
        trained = train(numbered, replace(config, thresholds=thresholds, train=short), vectors)
        best = max(epoch.validation[VALIDATED_BY[0]] for epoch in trained.epochs)
        tried.append(Tried(thresholds, best))
        advance()
    return sorted(tried, key=lambda one: (-one.value, one.thresholds))
