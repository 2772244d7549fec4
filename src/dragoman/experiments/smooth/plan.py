"""The paper's experiments as lists of trainings, at the paper's scale and at a small one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import product

from dragoman.experiments.smooth.runs import SmoothTraining
from dragoman.experiments.smooth.stability_runs import FirstVectors, StabilityTraining
from dragoman.systems.smooth.config import LossName, SmoothArchitecture, SmoothConfig
from dragoman.systems.smooth.grid import Grid
from dragoman.systems.smooth.similarity import attainable_maximum
from dragoman.systems.smooth.training_data import TEST, TRAIN, VALIDATION

Thresholds = tuple[float, ...]
EPSILON = SmoothConfig().model.epsilon
CLIPPED = 5.0  # the norm of gradients in the authors' code
TABLE_2 = (LossName.SOSL, LossName.THREE_PART, LossName.MSE, LossName.PO, LossName.PO_STEEP)


class SmoothPart(StrEnum):
    """Parts of the paper that are reproduced; Figures 1 and 2 are formulas and always drawn."""

    LOSSES = "losses"  # Table 2, Figure 3
    PRINTED = "printed"  # Table 2 with classes that end at -1 and 1, which no score reaches
    ARCHITECTURES = "architectures"  # Table 3
    AUTHORS = "authors"  # the equations as printed and as coded by the authors, beside ours
    EPSILON = "epsilon"  # Figure 4
    NEGATIVES = "negatives"  # Figure 5
    STABILITY = "stability"  # sections 3.3 and 4: gradients, learning rates, generalisation gap


@dataclass(frozen=True, kw_only=True, slots=True)
class StabilityScale:
    """Every combination of these is trained for one epoch.

    The primary measure is the spread of the test queries' nDCG@5 over the learning rates: the
    highest mean minus the lowest. The gradients' norms and the generalisation gap are reported
    beside it.
    """

    queries: int = 1500  # for training
    epsilons: tuple[float, ...] = (0.0, 0.1, 0.5, 1.0, 2.0)
    clips: tuple[float, ...] = (0.0, CLIPPED)  # 0 turns clipping off
    rates: tuple[float, ...] = (0.003, 0.01, 0.03, 0.1)
    seeds: tuple[int, ...] = (0, 1, 2)
    # thresholds as shares of the highest attainable score, so that no epsilon has an easier target
    thresholds: tuple[float, ...] = (0.2, 0.7)


@dataclass(frozen=True, kw_only=True, slots=True)
class SmoothScale:
    """The sizes of data, trainings and sweeps."""

    name: str
    queries: Mapping[str, int]  # at most, by split; 0 takes all
    epochs: Mapping[SmoothArchitecture, int]
    patience: int  # epochs without a better validation value before early stopping
    grid: Grid
    rates: tuple[float, ...]  # learning rates tried with every loss
    epsilons: tuple[float, ...]
    negatives: tuple[int, ...]
    stability: StabilityScale = field(default_factory=StabilityScale)
    dimension: int = 64  # of word vectors
    seed: int = 0
    seeds: int = 1  # of the trainings of Table 2, from ``seed`` on

    def __str__(self) -> str:
        """The settings that differ from the paper's, as a line of a report."""
        grid = self.grid
        seeds = f"; {self.seeds} seeds of every loss" if self.seeds > 1 else ""
        most = ", ".join(f"{one} {count}" for one, count in self.epochs.items())
        return (
            f"thresholds by grid search among {_listed(grid.values)} of the highest attainable"
            f" score, {attainable_maximum(self.dimension, EPSILON):.3f} (epochs: {grid.epochs},"
            f" training queries: {grid.train:,}, validation queries: {grid.validation:,});"
            f" learning rates of average pooling in Table 2: {_listed(self.rates)}, the better one"
            f" by validation; epochs at most: {most}; early stopping after {self.patience} epochs"
            " in a row without a better nDCG@5 of the validation queries, with the best epoch used"
            f"{seeds}"
        )


def _listed(numbers: tuple[float, ...]) -> str:
    return ", ".join(f"{number:g}" for number in numbers)


# The paper's sizes, except: thresholds are searched on a part of the queries, as shares of what a
# score can reach (with 64 numbers and epsilon 1 it stays below .790); training stops when
# two epochs in a row are no better; next to the paper's learning rate a smaller one is tried, since
# aligned first vectors need shorter steps.
FULL = SmoothScale(
    name="full",
    queries={},
    epochs={
        SmoothArchitecture.AVERAGE: 30,
        SmoothArchitecture.CNN: 30,
        SmoothArchitecture.LSTM: 15,
    },
    patience=2,
    grid=Grid(values=(0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.97), epochs=2, train=1500, validation=1000),
    rates=(0.01, 0.003),
    epsilons=(0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0),
    negatives=(20, 30, 40, 50, 60, 70, 80, 90, 100),
)
SMALL = SmoothScale(
    name="small",
    queries={TRAIN: 1500, VALIDATION: 500, TEST: 500},
    epochs={SmoothArchitecture.AVERAGE: 6, SmoothArchitecture.CNN: 3, SmoothArchitecture.LSTM: 1},
    patience=2,
    grid=Grid(values=(0.0, 0.2, 0.7, 0.9), epochs=1, train=500, validation=300),
    rates=(0.01,),
    epsilons=(0.0, 0.5, 1.0, 2.0),
    negatives=(20, 60, 100),
    stability=StabilityScale(
        queries=500, epsilons=(0.0, 1.0), rates=(0.003, 0.01, 0.03), seeds=(0,)
    ),
)
MEDIUM = replace(  # for a collection of which FULL would take hours
    FULL,
    name="medium",
    queries={TRAIN: 5000, VALIDATION: 1500},
    grid=replace(FULL.grid, epochs=1, train=1000, validation=500),
    epsilons=SMALL.epsilons,
    negatives=SMALL.negatives,
)
TINY = replace(  # shows that everything runs
    SMALL,
    name="tiny",
    queries={TRAIN: 12, VALIDATION: 6, TEST: 13},
    epochs={SmoothArchitecture.AVERAGE: 2, SmoothArchitecture.CNN: 1, SmoothArchitecture.LSTM: 1},
    epsilons=(0.0, 1.0),
    negatives=(2, 4),
    grid=Grid(values=(0.2, 0.5, 0.7), epochs=1, train=6, validation=4),
    stability=StabilityScale(queries=6, epsilons=(0.0, 1.0), rates=(0.003, 0.01), seeds=(0, 1)),
)
SCALES = {scale.name: scale for scale in (FULL, MEDIUM, SMALL, TINY)}


def losses(scale: SmoothScale) -> list[SmoothTraining]:
    """Table 2: every loss over average pooling with epsilon 1, SOSL first.

    Thresholds and learning rate are searched for each loss on its own.
    """
    config = scaled_config(scale, SmoothArchitecture.AVERAGE)
    return [
        SmoothTraining(
            name=f"loss-{loss}",
            config=replace(config, loss=loss, thresholds=()),
            grid=scale.grid,
            rates=scale.rates,
        )
        for loss in TABLE_2
    ]


def printed(scale: SmoothScale) -> list[SmoothTraining]:
    """Table 2 with the thresholds of the paper's text, between -1 and 1: some are out of reach."""
    return [
        replace(
            run,
            name=run.name.replace("loss-", "printed-"),
            config=replace(run.config, limit=1.0),
        )
        for run in losses(scale)
        if run.config.loss is not LossName.PO_STEEP
    ]


def untrained(scale: SmoothScale) -> SmoothTraining:
    """The first vectors alone, without training."""
    config = scaled_config(scale, SmoothArchitecture.AVERAGE)
    return SmoothTraining(
        name="untrained", config=replace(config, train=replace(config.train, epochs=0))
    )


def architectures(scale: SmoothScale, thresholds: Thresholds) -> list[SmoothTraining]:
    """Table 3: the other architectures, with the thresholds chosen for average pooling."""
    return [
        SmoothTraining(
            name=f"architecture-{one}",
            config=replace(scaled_config(scale, one), thresholds=thresholds),
        )
        for one in (SmoothArchitecture.CNN, SmoothArchitecture.LSTM)
    ]


def authors(
    scale: SmoothScale, thresholds: Thresholds, *, own_lengths: bool
) -> list[SmoothTraining]:
    """What is compared with SOSL of Table 2: as printed, as coded, and LSTM ours and as printed.

    LSTM has the thresholds chosen for average pooling. ``own_lengths`` says whether the lengths of
    given vectors are known, with which the authors' code begins.
    """
    ours, *_ = losses(scale)
    as_printed, *_ = printed(scale)
    as_coded = replace(
        ours,
        name="coded-sosl",
        config=replace(
            ours.config,
            model=replace(ours.config.model, epsilon=0.0),
            loss=LossName.ALL_THRESHOLD,
            limit=attainable_maximum(scale.dimension, 0.0),
            train=replace(ours.config.train, max_gradient_norm=CLIPPED),
            own_lengths=own_lengths,
        ),
        authors_texts=True,
    )
    _, lstm = architectures(scale, thresholds)
    model = replace(lstm.config.model, architecture=SmoothArchitecture.LSTM_FIRST_POSITION)
    lstm_as_printed = replace(lstm, name="printed-lstm", config=replace(lstm.config, model=model))
    return [as_printed, as_coded, lstm, lstm_as_printed]


def epsilons(scale: SmoothScale) -> list[SmoothTraining]:
    """Figure 4: SOSL with each epsilon, thresholds by grid search."""
    config = scaled_config(scale, SmoothArchitecture.AVERAGE)
    return [
        SmoothTraining(
            name=f"epsilon-{epsilon:g}",
            config=replace(
                config,
                model=replace(config.model, epsilon=epsilon),
                limit=attainable_maximum(scale.dimension, epsilon),
            ),
            grid=scale.grid,
        )
        for epsilon in scale.epsilons
    ]


def negatives(scale: SmoothScale, thresholds: Thresholds) -> list[SmoothTraining]:
    """Figure 5: SOSL with each number of irrelevant documents per query."""
    config = replace(scaled_config(scale, SmoothArchitecture.AVERAGE), thresholds=thresholds)
    return [
        SmoothTraining(name=f"negatives-{count}", config=config, negatives=count)
        for count in scale.negatives
    ]


def stability(scale: SmoothScale, first: Iterable[FirstVectors]) -> list[StabilityTraining]:
    """One epoch with SOSL for every combination of first vectors and settings, seed by seed.

    A run that is stopped early then has fewer seeds, not fewer settings.
    """
    paper = scaled_config(scale, SmoothArchitecture.AVERAGE)
    sizes = scale.stability
    trainings = []
    for seed, vectors, epsilon, clip, rate in product(
        sizes.seeds, first, sizes.epsilons, sizes.clips, sizes.rates
    ):
        limit = attainable_maximum(scale.dimension, epsilon)
        train = replace(
            paper.train, epochs=1, learning_rate=rate, max_gradient_norm=clip, seed=seed
        )
        config = replace(
            paper,
            model=replace(paper.model, epsilon=epsilon),
            thresholds=tuple(share * limit for share in sizes.thresholds),
            limit=limit,
            train=train,
            batch=replace(paper.batch, seed=seed),
            own_lengths=vectors is FirstVectors.OWN,
        )
        trainings.append(StabilityTraining(config=config, first=vectors))
    return trainings


def scaled_config(scale: SmoothScale, architecture: SmoothArchitecture) -> SmoothConfig:
    """The paper's settings for an architecture, with the scale's epochs.

    Average pooling has scores with a maximum; vectors of the others have no longest.
    """
    paper = SmoothConfig.paper(architecture)
    if architecture is SmoothArchitecture.AVERAGE:
        limit = attainable_maximum(scale.dimension, paper.model.epsilon)
        paper = replace(paper, limit=limit)
    train = replace(
        paper.train,
        epochs=scale.epochs[architecture],
        patience=scale.patience,
        seed=scale.seed,
    )
    return replace(paper, train=train, batch=replace(paper.batch, seed=scale.seed))
