"""The paper's experiments, and controls that it does not have, as lists of trainings."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from dragoman.experiments.semi_interactive.scales import RelevanceScale
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
UNTRAINED_INTERACT = "INTERACT, not trained"
INTERACT_QUERIES = "INTERACT, with relevant queries"
ONE_ENCODER = "NON-INTERACT, one encoder"
MINED, MINED_KT = "SEMI-INTERACT, mined", "SEMI-INTERACT, mined + KT"
BY_LEAD_SENTENCES = {name: f"{name}, lead sentences" for name in (INTERACT, NON, SEMI)}


class RelevancePart(StrEnum):
    """Parts of the paper that are reproduced."""

    SIMILARITY = "similarity"  # Tables 2, 3 and 4, Figure 4
    NUMBER = "number"  # Figure 3 (a)
    ALPHA = "alpha"  # Figure 3 (b)
    TRANSFER = "transfer"  # Table 5
    MINED = "mined"  # Table 6
    RERANK = "rerank"  # not in the paper: the interactive model as a re-ranking stage
    CONTROLS = "controls"  # not in the paper: what relevant queries and training are worth alone
    SENTENCES = "sentences"  # not in the paper: lead sentences as queries
    REPEATED = "repeated"  # not in the paper: several learning rates and seeds


# all but the repeated trainings, which take longer than everything else
DEFAULT_PARTS = tuple(part for part in RelevancePart if part is not RelevancePart.REPEATED)
RATE_FACTORS = (0.25, 1.0, 4.0)  # of the scale's learning rate, in repeated trainings
SEEDS = (0, 1, 2)  # the first is that of trainings that are not repeated


class QueryContext(StrEnum):
    """The origin of the relevant queries of a document."""

    READY_MADE = "ready-made"
    MINED = "mined"


class QueryWording(StrEnum):
    """What the queries are: titles as in the paper, or lead sentences without the title's words."""

    TITLES = "titles"
    LEAD_SENTENCES = "lead sentences"


@dataclass(frozen=True, kw_only=True, slots=True)
class RelevanceTraining:
    """One training."""

    name: str
    config: SemiInteractiveConfig
    teacher: str = ""  # INTERACT, or a sentence encoder's name or folder; none where empty
    context: QueryContext = QueryContext.READY_MADE
    queries: QueryWording = QueryWording.TITLES
    repeats: str = ""  # the name of a training that differs in learning rate or seed alone
    crossed: bool = False  # whether Table 4 has it
    pictured: bool = False  # whether Figure 4 has it

    @property
    def model(self) -> str:
        """The name without learning rate and seed."""
        return self.repeats or self.name

    @property
    def folder(self) -> str:
        """The name with letters, digits and hyphens alone."""
        return "-".join("".join(c if c.isalnum() else " " for c in self.name).lower().split())

    def model_in(self, runs: Path) -> Path:
        """The folder of the trained model."""
        return runs / f"{self.folder}.model"


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
    parts = {
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
        RelevancePart.SENTENCES: [
            replace(
                one,
                name=BY_LEAD_SENTENCES[one.name],
                queries=QueryWording.LEAD_SENTENCES,
                crossed=False,
                pictured=False,
            )
            for one in (upper_limit(scale), baseline[0], plain)
        ],
    }
    return {**parts, RelevancePart.REPEATED: _repetitions(scale, parts)}


def chosen_trainings(
    scale: RelevanceScale,
    parts: Collection[RelevancePart],
    sentence_teacher: str = "",
    *,
    languages: int,
) -> dict[RelevancePart, list[RelevanceTraining]]:
    """The trainings of some parts; models of no other part are repeated only if rates vary.

    So many ``languages`` have supervision: a document has a relevant query in all but the query's.
    """
    default = scale.base.relevant_queries
    enough = tuple(one for one in scale.numbers if one < languages or one == default)
    planned = planned_trainings(replace(scale, numbers=enough), sentence_teacher)
    chosen = {part: trainings for part, trainings in planned.items() if part in parts}
    repeated = chosen.pop(RelevancePart.REPEATED, None)
    if repeated is not None:
        known = {*RATED, *(run.name for trainings in chosen.values() for run in trainings)}
        chosen[RelevancePart.REPEATED] = [one for one in repeated if one.model in known]
    return chosen


def _controls(scale: RelevanceScale) -> list[RelevanceTraining]:
    """What relevant queries are worth without SEMI-INTERACT, and training without a second encoder.

    INTERACT reads [Q, D, Q1..N]; untrained models read what trained ones read.
    """
    interactive = upper_limit(scale).config
    semi = _without_teacher(scale)
    one_encoder = replace(
        _without_teacher(scale, RelevanceArchitecture.NON_INTERACTIVE), shared=True
    )
    return [
        RelevanceTraining(
            name=INTERACT_QUERIES, config=replace(interactive, pairs_with_queries=True)
        ),
        RelevanceTraining(name=ONE_ENCODER, config=one_encoder),
        RelevanceTraining(name=UNTRAINED_INTERACT, config=replace(interactive, epochs=0)),
        RelevanceTraining(name=UNTRAINED_SEMI, config=replace(semi, epochs=0)),
    ]


RATED = (INTERACT, NON, SEMI)
SEEDED_PARTS = (
    RelevancePart.SIMILARITY,
    RelevancePart.NUMBER,
    RelevancePart.CONTROLS,
    RelevancePart.SENTENCES,
)


def _repetitions(
    scale: RelevanceScale, parts: Mapping[RelevancePart, Sequence[RelevanceTraining]]
) -> list[RelevanceTraining]:
    """Every model of ``SEEDED_PARTS`` with all seeds, those of ``RATED`` with all rates as well."""
    models = {INTERACT: upper_limit(scale)}
    models |= {one.name: one for part in SEEDED_PARTS for one in parts[part]}
    return [
        repetition
        for name, model in models.items()
        if model.config.epochs
        for repetition in repeated_trainings(model, RATE_FACTORS if name in RATED else (1.0,))
    ]


def repeated_trainings(
    model: RelevanceTraining, factors: Sequence[float]
) -> list[RelevanceTraining]:
    """The same training with every learning rate and seed, itself among them."""
    repetitions = []
    for factor in factors:
        rate = model.config.learning_rate * factor
        for seed in SEEDS:
            config = replace(model.config, learning_rate=rate, seed=seed)
            name = f"{model.name}, rate {rate:g}, seed {seed}"
            again = RelevanceTraining(
                name=name, config=config, teacher=model.teacher, queries=model.queries,
                repeats=model.name,
            )  # fmt: skip
            repetitions.append(model if config == model.config else again)
    return repetitions


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
