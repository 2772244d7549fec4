"""The paper's experiments as lists of trainings, at scales of hours, one hour and minutes."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from dragoman.experiments.semi_interactive.click_simulation import ClickConfig
from dragoman.experiments.semi_interactive.task import RelevanceTaskConfig
from dragoman.systems.semi_interactive.config import (
    Distillation,
    RelevanceArchitecture,
    SemiInteractiveConfig,
)

INTERACT = "INTERACT"
NON, NON_KT = "NON-INTERACT", "NON-INTERACT + KT"
SEMI, SEMI_KT = "SEMI-INTERACT", "SEMI-INTERACT + KT"
SEMI_SYMMETRIC = "SEMI-INTERACT + KT, symmetric"
INITIALIZED, DISTILLED = "SEMI-INTERACT + INITIALIZE", "SEMI-INTERACT + DISTILLATION"
BY_SENTENCES = "SEMI-INTERACT + DISTILLATION, sentence encoder"
UNTRAINED = "encoder, not trained"
UNTRAINED_SEMI = "encoder, not trained, with relevant queries"
INTERACT_QUERIES = "INTERACT, with relevant queries"
MINED, MINED_KT = "SEMI-INTERACT, mined", "SEMI-INTERACT, mined + KT"


class RelevancePart(StrEnum):
    """Parts of the paper that are reproduced."""

    SIMILARITY = "similarity"  # Tables 2, 3 and 4, Figure 4
    NUMBER = "number"  # Figure 3 (a)
    ALPHA = "alpha"  # Figure 3 (b)
    TRANSFER = "transfer"  # Table 5
    MINED = "mined"  # Table 6
    RERANK = "rerank"  # not in the paper: the interactive model as a re-ranking stage
    CONTROLS = "controls"  # not in the paper: models that read what SEMI-INTERACT reads
    REPEATED = "repeated"  # not in the paper: several learning rates and seeds


# all but the repeated trainings, which take longer than everything else
DEFAULT_PARTS = tuple(part for part in RelevancePart if part is not RelevancePart.REPEATED)
RATE_FACTORS = (0.5, 1.0, 2.0)  # of the scale's learning rate, in repeated trainings
SEEDS = (0, 1, 2)


class QueryContext(StrEnum):
    """The origin of the relevant queries of a document."""

    READY_MADE = "ready-made"
    MINED = "mined"


@dataclass(frozen=True, kw_only=True, slots=True)
class RelevanceTraining:
    """One training."""

    name: str
    config: SemiInteractiveConfig
    teacher: str = ""  # INTERACT, or a sentence encoder's name or folder; none where empty
    context: QueryContext = QueryContext.READY_MADE
    crossed: bool = False  # whether Table 4 has it
    pictured: bool = False  # whether Figure 4 has it

    @property
    def folder(self) -> str:
        """The name with letters, digits and hyphens alone."""
        return "-".join("".join(c if c.isalnum() else " " for c in self.name).lower().split())

    def model_in(self, runs: Path) -> Path:
        """The folder of the trained model."""
        return runs / f"{self.folder}.model"


@dataclass(frozen=True, kw_only=True, slots=True)
class RelevanceScale:
    """The sizes of data, trainings and sweeps."""

    name: str
    task: RelevanceTaskConfig = field(default_factory=RelevanceTaskConfig)
    clicks: ClickConfig = field(default_factory=ClickConfig)
    base: SemiInteractiveConfig = field(default_factory=SemiInteractiveConfig)
    teacher_epochs: int  # of the interactive model, on the task
    teacher_rate: float
    numbers: tuple[int, ...]  # of relevant queries, Figure 3 (a)
    alphas: tuple[float, ...]  # Figure 3 (b)
    fitted: int  # training pairs that a trained model is evaluated on
    timed: int  # samples whose inference is timed
    reranked: int  # test queries of each language for the second stage
    pictured: int  # queries and documents of each language in Figure 4

    def __str__(self) -> str:
        """The settings that differ from the paper's, as a line of a report."""
        base, task = self.base, self.task
        return (
            f"{base.layers} layers at most, {base.max_length} tokens, batches of {base.batch},"
            f" learning rate {base.learning_rate:g} after {base.warm_up} steps, at most"
            f" {base.epochs} epochs, early stopping after {base.patience} in a row without a better"
            f" validation AUC ({INTERACT}: {self.teacher_rate:g}, {self.teacher_epochs} epochs, the"
            f" best is used); {task.negatives} negatives of a training query, {task.hard} of them"
            f" hard, {task.candidates} candidates of a test query, {task.hard_candidates} of them"
            " hard"
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
    numbers=(1, 2, 3, 4),
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
    numbers=(1, 2, 3, 4),
    alphas=(0.3, 0.7),
    fitted=1000,
    timed=100,
    reranked=40,
    pictured=200,
)
SMALL = RelevanceScale(
    name="small",
    task=RelevanceTaskConfig(
        train=50,
        validation=15,
        test=40,
        negatives=3,
        candidates=15,
        hard_candidates=5,
        pool=200,
    ),
    clicks=ClickConfig(queries=1),
    base=SemiInteractiveConfig(
        layers=6, max_length=48, batch=32, learning_rate=4e-4, warm_up=20, epochs=3, patience=2
    ),
    teacher_epochs=5,
    teacher_rate=3e-4,
    numbers=(1, 3),
    alphas=(0.3, 0.7),
    fitted=300,
    timed=60,
    reranked=10,
    pictured=100,
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
)
SCALES = {scale.name: scale for scale in (FULL, MEDIUM, SMALL, TINY)}


def upper_limit(scale: RelevanceScale) -> RelevanceTraining:
    """The interactive model, which is the teacher of the others."""
    config = replace(
        scale.base,
        architecture=RelevanceArchitecture.INTERACTIVE,
        epochs=scale.teacher_epochs,
        patience=0,
        learning_rate=scale.teacher_rate,
        distillation=Distillation.OFF,
        reuse_embeddings=False,
    )
    return RelevanceTraining(name=INTERACT, config=config, pictured=True)


def planned_trainings(
    scale: RelevanceScale, sentence_teacher: str = ""
) -> dict[RelevancePart, list[RelevanceTraining]]:
    """The trainings of every part, without the teacher; a training may belong to several parts.

    With ``sentence_teacher`` one more model has that sentence encoder as its teacher.
    """
    non, semi = (
        _without_teacher(scale, RelevanceArchitecture.NON_INTERACTIVE),
        _without_teacher(scale),
    )
    non_with_teacher = replace(scale.base, architecture=RelevanceArchitecture.NON_INTERACTIVE)
    plain = RelevanceTraining(name=SEMI, config=semi, crossed=True, pictured=True)
    full = RelevanceTraining(name=SEMI_KT, config=scale.base, teacher=INTERACT, pictured=True)
    symmetric = replace(scale.base, distillation=Distillation.SYMMETRIC)
    only_initialized = RelevanceTraining(
        name=INITIALIZED,
        config=replace(scale.base, distillation=Distillation.OFF),
        teacher=INTERACT,
    )
    distilled = replace(scale.base, reuse_embeddings=False)
    baseline = [
        RelevanceTraining(name=NON, config=non, crossed=True, pictured=True),
        RelevanceTraining(name=NON_KT, config=non_with_teacher, teacher=INTERACT),
    ]
    untrained = RelevanceTraining(name=UNTRAINED, config=replace(non, epochs=0))
    by_sentences = replace(symmetric, reuse_embeddings=False)
    more = RelevanceTraining(name=BY_SENTENCES, config=by_sentences, teacher=sentence_teacher)
    return {
        RelevancePart.SIMILARITY: [*baseline, plain, full, untrained],
        RelevancePart.NUMBER: [
            baseline[0],
            *(
                RelevanceTraining(
                    name=f"{SEMI}, N = {count}", config=replace(semi, relevant_queries=count)
                )
                if count != semi.relevant_queries
                else plain
                for count in scale.numbers
            ),
        ],
        RelevancePart.ALPHA: [
            *(
                RelevanceTraining(
                    name=f"{SEMI_KT}, alpha = {a:g}",
                    config=replace(scale.base, alpha=a),
                    teacher=INTERACT,
                )
                if a != scale.base.alpha
                else full
                for a in scale.alphas
            ),
            only_initialized,  # the same as alpha = 1
        ],
        RelevancePart.TRANSFER: [
            plain,
            only_initialized,
            RelevanceTraining(name=DISTILLED, config=distilled, teacher=INTERACT),
            full,
            RelevanceTraining(name=SEMI_SYMMETRIC, config=symmetric, teacher=INTERACT),
            *([more] if sentence_teacher else []),
        ],
        RelevancePart.MINED: [
            *baseline,
            RelevanceTraining(name=MINED, config=semi, context=QueryContext.MINED),
            RelevanceTraining(
                name=MINED_KT,
                config=scale.base,
                teacher=INTERACT,
                context=QueryContext.MINED,
            ),
        ],
        RelevancePart.RERANK: [],  # the teacher alone
        RelevancePart.CONTROLS: _controls(scale),
        RelevancePart.REPEATED: [
            one
            for model in (upper_limit(scale), baseline[0], plain)
            for one in repeated_trainings(model)
        ],
    }


def _controls(scale: RelevanceScale) -> list[RelevanceTraining]:
    """What relevant queries are worth without SEMI-INTERACT: to a pair, and without training."""
    pairs = replace(upper_limit(scale).config, pairs_with_queries=True)
    semi = _without_teacher(scale)
    return [
        RelevanceTraining(name=INTERACT_QUERIES, config=pairs),
        RelevanceTraining(name=UNTRAINED_SEMI, config=replace(semi, epochs=0)),
    ]


def repeated_trainings(model: RelevanceTraining) -> list[RelevanceTraining]:
    """The same training with every learning rate and seed."""
    return [
        RelevanceTraining(
            name=f"{model.name}, rate {model.config.learning_rate * factor:g}, seed {seed}",
            config=replace(
                model.config, learning_rate=model.config.learning_rate * factor, seed=seed
            ),
        )
        for factor in RATE_FACTORS
        for seed in SEEDS
    ]


def _without_teacher(
    scale: RelevanceScale,
    architecture: RelevanceArchitecture = RelevanceArchitecture.SEMI_INTERACTIVE,
) -> SemiInteractiveConfig:
    return replace(
        scale.base,
        architecture=architecture,
        distillation=Distillation.OFF,
        reuse_embeddings=False,
    )


def swept_value(run: RelevanceTraining, part: RelevancePart) -> float:
    """The value of the varied setting of Figure 3."""
    if part is RelevancePart.NUMBER:
        non = run.config.architecture is RelevanceArchitecture.NON_INTERACTIVE
        return 0.0 if non else float(run.config.relevant_queries)
    return 1.0 if run.config.distillation is Distillation.OFF else run.config.alpha
