"""Interactive, non-interactive and semi-interactive transformers (Xu et al. 2021)."""

from dragoman.systems.semi_interactive.config import (
    Distillation,
    Probability,
    RelevanceArchitecture,
    SemiInteractiveConfig,
)
from dragoman.systems.semi_interactive.examples import RelevanceExample
from dragoman.systems.semi_interactive.leakage import refuse_leaks
from dragoman.systems.semi_interactive.model import RelevanceModel, load_model
from dragoman.systems.semi_interactive.relevant_queries import (
    RelevantQueries,
    mined_queries,
    ready_made_queries,
)
from dragoman.systems.semi_interactive.training import TrainedRelevanceModel, pooled_auc, train
from dragoman.systems.semi_interactive.transfer import Teacher, load_teacher, teacher_scores

__all__ = [
    "Distillation",
    "Probability",
    "RelevanceArchitecture",
    "RelevanceExample",
    "RelevanceModel",
    "RelevantQueries",
    "SemiInteractiveConfig",
    "Teacher",
    "TrainedRelevanceModel",
    "load_model",
    "load_teacher",
    "mined_queries",
    "pooled_auc",
    "ready_made_queries",
    "refuse_leaks",
    "teacher_scores",
    "train",
]
