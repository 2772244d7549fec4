"""The paper's experiments as lists of trainings, at a scale that follows it and at a small one."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from dragoman.experiments.smooth_runs import Run
from dragoman.systems.smooth.config import Architecture, LossName, SmoothConfig
from dragoman.systems.smooth.grid import VALUES

Thresholds = tuple[float, ...]


class Part(StrEnum):
    """What of the paper is measured again; Figures 1 and 2 are formulas and always drawn."""

    LOSSES = "losses"  # Table 2, Figure 3
    ARCHITECTURES = "architectures"  # Table 3
    EPSILON = "epsilon"  # Figure 4
    NEGATIVES = "negatives"  # Figure 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """How much is done."""

    name: str
    queries: Mapping[str, int]  # at most, by split; 0 takes all
    epochs: Mapping[Architecture, int]
    patience: int
    epsilons: tuple[float, ...]
    negatives: tuple[int, ...]
    grid: tuple[float, ...] = VALUES
    grid_epochs: int = 2
    sweep_epochs: int = 30  # of average pooling in Figures 4 and 5
    seed: int = field(default=0)


FULL = Scale(
    name="full",
    queries={"train": 0, "validation": 0, "test": 0},
    epochs={Architecture.AVERAGE: 30, Architecture.CNN: 30, Architecture.LSTM: 15},
    patience=5,
    epsilons=(0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0),
    negatives=(20, 30, 40, 50, 60, 70, 80, 90, 100),
)
SMALL = Scale(
    name="small",
    queries={"train": 1500, "validation": 500, "test": 500},
    epochs={Architecture.AVERAGE: 8, Architecture.CNN: 3, Architecture.LSTM: 2},
    patience=0,
    epsilons=(0.0, 0.5, 1.0, 1.5, 2.0),
    negatives=(20, 40, 60, 80, 100),
    grid=(0.0, 0.2, 0.7),
    grid_epochs=2,
    sweep_epochs=6,
)
SCALES = {scale.name: scale for scale in (FULL, SMALL)}


def losses(scale: Scale) -> list[Run]:
    """Table 2: every loss over average pooling with epsilon 1, SOSL first.

    Thresholds are searched for every loss that has some, so that none is held to another's best.
    """
    config = configured(scale, Architecture.AVERAGE)
    return [
        Run(
            name=f"loss-{loss}",
            config=replace(config, loss=loss),
            grid=() if loss is LossName.THREE_PART else scale.grid,
            grid_epochs=scale.grid_epochs,
        )
        for loss in LossName
    ]


def architectures(scale: Scale, thresholds: Thresholds) -> list[Run]:
    """Table 3: the other architectures, with the thresholds that suited average pooling."""
    return [
        Run(
            name=f"architecture-{one}",
            config=replace(configured(scale, one), thresholds=thresholds),
        )
        for one in (Architecture.CNN, Architecture.LSTM)
    ]


def epsilons(scale: Scale) -> list[Run]:
    """Figure 4: SOSL with each epsilon, thresholds by grid search."""
    config = _swept(scale)
    return [
        Run(
            name=f"epsilon-{epsilon:g}",
            config=replace(config, model=replace(config.model, epsilon=epsilon)),
            grid=scale.grid,
            grid_epochs=scale.grid_epochs,
        )
        for epsilon in scale.epsilons
    ]


def negatives(scale: Scale, thresholds: Thresholds) -> list[Run]:
    """Figure 5: SOSL with so many irrelevant documents a query."""
    config = replace(_swept(scale), thresholds=thresholds)
    return [
        Run(name=f"negatives-{count}", config=config, negatives=count) for count in scale.negatives
    ]


def configured(scale: Scale, architecture: Architecture) -> SmoothConfig:
    """The paper's settings for an architecture, with the scale's epochs."""
    paper = SmoothConfig.paper(architecture)
    train = replace(
        paper.train,
        epochs=scale.epochs[architecture],
        patience=scale.patience,
        seed=scale.seed,
    )
    return replace(paper, train=train, batch=replace(paper.batch, seed=scale.seed))


def _swept(scale: Scale) -> SmoothConfig:
    config = configured(scale, Architecture.AVERAGE)
    return replace(config, train=replace(config.train, epochs=scale.sweep_epochs))
