"""The paper's experiments as lists of trainings, at scales of hours, of one hour, of minutes."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path

from dragoman.experiments.semi_interactive.click_simulation import ClickConfig
from dragoman.experiments.semi_interactive.task import TaskConfig
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
MINED, MINED_KT = "SEMI-INTERACT, mined", "SEMI-INTERACT, mined + KT"


class Part(StrEnum):
    """What of the paper is measured again."""

    SIMILARITY = "similarity"  # Tables 2, 3 and 4, Figure 4
    NUMBER = "number"  # Figure 3 (a)
    ALPHA = "alpha"  # Figure 3 (b)
    TRANSFER = "transfer"  # Table 5
    MINED = "mined"  # Table 6
    RERANK = "rerank"  # not in the paper: the interactive model re-ranks an ordinary search


class Context(StrEnum):
    """Where the relevant queries of a document come from."""

    READY_MADE = "ready-made"
    MINED = "mined"


@dataclass(frozen=True, kw_only=True, slots=True)
class Run:
    """One training."""

    name: str
    config: SemiInteractiveConfig
    teacher: str = ""  # INTERACT, or a sentence encoder's name or folder; none where empty
    context: Context = Context.READY_MADE
    crossed: bool = False  # whether Table 4 has it
    pictured: bool = False  # whether Figure 4 has it

    @property
    def folder(self) -> str:
        """The name as a folder's."""
        return "-".join("".join(c if c.isalnum() else " " for c in self.name).lower().split())

    def model_in(self, runs: Path) -> Path:
        """Where the trained model is."""
        return runs / f"{self.folder}.model"


@dataclass(frozen=True, kw_only=True, slots=True)
class Scale:
    """How much is done."""

    name: str
    task: TaskConfig = field(default_factory=TaskConfig)
    clicks: ClickConfig = field(default_factory=ClickConfig)
    base: SemiInteractiveConfig = field(default_factory=SemiInteractiveConfig)
    teacher_epochs: int  # of the interactive model, on the task
    teacher_rate: float
    numbers: tuple[int, ...]  # of relevant queries, Figure 3 (a)
    alphas: tuple[float, ...]  # Figure 3 (b)
    fitted: int  # training pairs that a trained model is asked for again
    timed: int  # samples whose inference is timed, one by one
    reranked: int  # test questions of each language whose search has a second stage
    pictured: int  # queries and documents of Figure 4, of each language

    def __str__(self) -> str:
        """What is not the paper's own, for people."""
        base, task = self.base, self.task
        return (
            f"{base.layers} layers at most, {base.max_length} tokens, batches of {base.batch},"
            f" learning rate {base.learning_rate:g} after {base.warm_up} steps, at most"
            f" {base.epochs} epochs, {base.patience} in a row without a better AUC of the"
            f" validation end a training ({INTERACT}: {self.teacher_rate:g},"
            f" {self.teacher_epochs} epochs, the best is kept); {task.negatives} negatives a"
            f" question to learn from, {task.hard} of them hard, {task.candidates} candidates a"
            f" question of the test, {task.hard_candidates} of them hard"
        )


# A small pre-trained encoder needs longer steps than M-BERT's 3e-5, and collections that are built
# here have thousands of pairs to learn from, not millions: hundreds of steps, not the paper's 8,000
# of warm-up alone.
FULL = Scale(
    name="full",
    task=TaskConfig(train=500, validation=60, test=400, candidates=60, hard_candidates=15),
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
MEDIUM = Scale(
    name="medium",
    task=TaskConfig(
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
    numbers=(1, 2, 3),
    alphas=(0.3, 0.7),
    fitted=1000,
    timed=100,
    reranked=40,
    pictured=200,
)
SMALL = Scale(
    name="small",
    task=TaskConfig(
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
SCALES = {scale.name: scale for scale in (FULL, MEDIUM, SMALL)}


def upper_limit(scale: Scale) -> Run:
    """The interactive model, which teaches the others."""
    config = replace(
        scale.base,
        architecture=RelevanceArchitecture.INTERACTIVE,
        epochs=scale.teacher_epochs,
        patience=0,
        learning_rate=scale.teacher_rate,
        distillation=Distillation.OFF,
        reuse_embeddings=False,
    )
    return Run(name=INTERACT, config=config, pictured=True)


def planned(scale: Scale, sentence_teacher: str = "") -> dict[Part, list[Run]]:
    """The trainings of every part beside the teacher; a training may belong to several parts.

    With ``sentence_teacher`` one more learns from the scores of that sentence encoder.
    """
    non, semi = _untaught(scale, RelevanceArchitecture.NON_INTERACTIVE), _untaught(scale)
    taught_non = replace(scale.base, architecture=RelevanceArchitecture.NON_INTERACTIVE)
    plain = Run(name=SEMI, config=semi, crossed=True, pictured=True)
    full = Run(name=SEMI_KT, config=scale.base, teacher=INTERACT, pictured=True)
    symmetric = replace(scale.base, distillation=Distillation.SYMMETRIC)
    initialized = replace(scale.base, distillation=Distillation.OFF)
    distilled = replace(scale.base, reuse_embeddings=False)
    baseline = [
        Run(name=NON, config=non, crossed=True, pictured=True),
        Run(name=NON_KT, config=taught_non, teacher=INTERACT),
    ]
    untrained = Run(name=UNTRAINED, config=replace(non, epochs=0))
    by_sentences = replace(symmetric, reuse_embeddings=False)
    more = Run(name=BY_SENTENCES, config=by_sentences, teacher=sentence_teacher)
    return {
        Part.SIMILARITY: [*baseline, plain, full, untrained],
        Part.NUMBER: [
            baseline[0],
            *(
                Run(name=f"{SEMI}, N = {count}", config=replace(semi, relevant_queries=count))
                if count != semi.relevant_queries
                else plain
                for count in scale.numbers
            ),
        ],
        Part.ALPHA: [
            *(
                Run(name=f"{SEMI_KT}, alpha = {a:g}", config=replace(scale.base, alpha=a),
                    teacher=INTERACT)
                if a != scale.base.alpha
                else full
                for a in scale.alphas
            ),
            Run(name=INITIALIZED, config=initialized, teacher=INTERACT),  # what alpha = 1 comes to
        ],
        Part.TRANSFER: [
            plain,
            Run(name=INITIALIZED, config=initialized, teacher=INTERACT),
            Run(name=DISTILLED, config=distilled, teacher=INTERACT),
            full,
            Run(name=SEMI_SYMMETRIC, config=symmetric, teacher=INTERACT),
            *([more] if sentence_teacher else []),
        ],
        Part.MINED: [
            *baseline,
            Run(name=MINED, config=semi, context=Context.MINED),
            Run(name=MINED_KT, config=scale.base, teacher=INTERACT, context=Context.MINED),
        ],
        Part.RERANK: [],  # the teacher alone
    }  # fmt: skip


def _untaught(
    scale: Scale, architecture: RelevanceArchitecture = RelevanceArchitecture.SEMI_INTERACTIVE
) -> SemiInteractiveConfig:
    return replace(
        scale.base,
        architecture=architecture,
        distillation=Distillation.OFF,
        reuse_embeddings=False,
    )


def swept(run: Run, part: Part) -> float:
    """Where a training stands on the axis of Figure 3."""
    if part is Part.NUMBER:
        non = run.config.architecture is RelevanceArchitecture.NON_INTERACTIVE
        return 0.0 if non else float(run.config.relevant_queries)
    return 1.0 if run.config.distillation is Distillation.OFF else run.config.alpha
