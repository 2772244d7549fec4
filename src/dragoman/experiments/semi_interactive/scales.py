"""The sizes of the paper's experiments: hours, one hour, minutes, and seconds for tests."""

from dataclasses import dataclass, field, replace

from dragoman.experiments.semi_interactive.click_simulation import ClickConfig
from dragoman.experiments.semi_interactive.task import RelevanceTaskConfig
from dragoman.systems.semi_interactive.config import SemiInteractiveConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class RelevanceScale:
    """The sizes of data, trainings and sweeps."""

    name: str
    task: RelevanceTaskConfig = field(default_factory=RelevanceTaskConfig)
    clicks: ClickConfig = field(default_factory=ClickConfig)
    base: SemiInteractiveConfig = field(default_factory=SemiInteractiveConfig)
    teacher_epochs: int  # of the interactive model, on the task
    teacher_rate: float
    numbers: tuple[int, ...]  # of relevant queries, Figure 3 (a), where languages are enough
    alphas: tuple[float, ...]  # Figure 3 (b)
    fitted: int  # training pairs that a trained model is evaluated on
    timed: int  # samples whose inference is timed
    reranked: int  # test queries of each language for the second stage
    pictured: int  # queries and documents of each language in Figure 4
    validations: int = 1  # in an epoch; the model of the best one is used

    def __str__(self) -> str:
        """The settings that differ from the paper's, as a line of a report."""
        base, task = self.base, self.task
        return (
            f"{base.layers} layers at most, {base.max_length} tokens, batches of {base.batch},"
            f" learning rate {base.learning_rate:g} after {base.warm_up} steps, at most"
            f" {base.epochs} epochs of {self.validations} validations, early stopping after"
            f" {base.patience} epochs without a better validation AUC (INTERACT:"
            f" {self.teacher_rate:g}, {self.teacher_epochs} epochs, the best validation is used);"
            f" {task.negatives} negatives of a training query, {task.hard} of them hard,"
            f" {task.candidates} candidates of a test query, {task.hard_candidates} of them hard"
        )


# A small pre-trained encoder needs longer steps than M-BERT's 3e-5, and collections that are built
# here have thousands of training pairs, not millions: hundreds of steps in all, where the paper has
# 8,000 of warm-up alone.
FULL = RelevanceScale(
    name="full",
    task=RelevanceTaskConfig(train=500, validation=60, test=400, candidates=60, hard_candidates=15),
    base=SemiInteractiveConfig(
        layers=6, max_length=96, batch=32, learning_rate=4e-4, warm_up=100, epochs=6, patience=2
    ),
    teacher_epochs=8,
    teacher_rate=3e-4,
    numbers=(1, 2, 3, 4, 6),
    alphas=(0.1, 0.3, 0.5, 0.7, 0.9),
    fitted=2000,
    timed=200,
    reranked=150,
    pictured=300,
)
MEDIUM = RelevanceScale(
    name="medium",
    task=RelevanceTaskConfig(
        train=200,
        validation=40,
        test=150,
        negatives=4,
        hard=2,
        candidates=30,
        hard_candidates=20,
        pool=2000,
    ),
    clicks=ClickConfig(queries=1),
    base=SemiInteractiveConfig(
        layers=6, max_length=48, batch=32, learning_rate=2e-4, warm_up=50, epochs=3, patience=2
    ),
    teacher_epochs=5,
    teacher_rate=3e-4,
    numbers=(1, 2, 3, 4, 6),
    alphas=(0.3, 0.7),
    fitted=1000,
    timed=100,
    reranked=40,
    pictured=200,
)
SMALL = RelevanceScale(
    name="small",
    task=RelevanceTaskConfig(
        train=100,
        validation=20,
        test=60,
        negatives=3,
        candidates=15,
        hard_candidates=5,
        pool=200,
    ),
    clicks=ClickConfig(queries=1),
    base=SemiInteractiveConfig(
        layers=6, max_length=48, batch=32, learning_rate=4e-4, warm_up=20, epochs=3, patience=2
    ),
    teacher_epochs=3,
    teacher_rate=3e-4,
    numbers=(1, 3, 4, 6),
    alphas=(0.3, 0.7),
    fitted=300,
    timed=60,
    reranked=10,
    pictured=100,
    validations=4,
)
TINY = replace(  # shows that everything runs
    SMALL,
    name="tiny",
    task=RelevanceTaskConfig(train=4, negatives=2, candidates=4, hard_candidates=1),
    base=replace(SMALL.base, layers=1, max_length=32, batch=16, epochs=1, warm_up=0),
    teacher_epochs=1,
    timed=4,
    reranked=2,
    pictured=4,
    fitted=6,
    validations=1,
)
SCALES = {scale.name: scale for scale in (FULL, MEDIUM, SMALL, TINY)}
