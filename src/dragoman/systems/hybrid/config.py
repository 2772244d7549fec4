"""The settings of the hybrid system, checked once."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

from dragoman.errors import ConfigError, UnknownName
from dragoman.ranking.balance import BEST
from dragoman.settings import shortcuts


class Fusion(StrEnum):
    """How the scores of the lexical and the dense part are combined."""

    Z_SCORES = "z-scores"
    RECIPROCAL_RANKS = "reciprocal-ranks"


WEIGHTS = (
    "question_weight",
    "keyword_weight",
    "student_question_weight",
    "student_keyword_weight",
    "unread_weight",
    "untranslated_weight",
)


@dataclass(frozen=True, kw_only=True, slots=True)
class HybridConfig:
    """The weights of fusion, the number of candidates, and the translation boost.

    The weight of the dense part depends on the languages of query and document, and on the form
    of the query. If the encoder was trained on both languages, it is ``question_weight`` for
    questions and ``keyword_weight`` for keywords; ``student_question_weight`` and
    ``student_keyword_weight`` if a student encodes one of them; ``unread_weight`` if no encoder
    covers one of them; ``untranslated_weight`` if no translation table connects them, so that only
    names match. The defaults were chosen on
    development data over all language pairs together, never per collection.

    The cosine of a document is that of its best passage, less ``passage_discount`` times the
    logarithm of the number of its passages, as the best of many is near any query by chance. For
    questions, ``document_share`` of it is the cosine of the mean of all passages.

    ``maxsim_weight`` is the weight of word MaxSim for questions; keywords are ranked without it.

    ``boost_weight`` is added to the score of a document for each standard deviation by which its
    similarity to one of the ``boost_hits`` best lexical hits stands out; 0 hits disable the boost.
    """

    fusion: Fusion = Fusion.Z_SCORES
    question_weight: float = 0.55
    keyword_weight: float = 0.3
    student_question_weight: float = 0.4
    student_keyword_weight: float = 0.3
    unread_weight: float = 0.3
    untranslated_weight: float = 0.85
    document_share: float = 0.5
    maxsim_weight: float = 0.3
    passage_discount: float = 0.04
    depth: int = BEST  # least number of candidates of each part
    boost_hits: int = 3
    boost_weight: float = 1.8
    # settings of the parts
    psq: Mapping[str, Any] | None = field(default=None, metadata=shortcuts("lexicons"))
    dense: Mapping[str, Any] | None = field(default=None, metadata=shortcuts("encoder", "students"))

    def __post_init__(self) -> None:
        for name in (*WEIGHTS, "document_share", "maxsim_weight"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} must lie between 0 and 1, got {getattr(self, name)}")
        if self.depth < 1:
            raise ConfigError(f"depth must be 1 or more, got {self.depth}")
        for name in ("boost_hits", "boost_weight", "passage_discount"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} must be 0 or more, got {getattr(self, name)}")

    def with_weights(self, weights: Mapping[str, Any]) -> Self:
        """These settings with other weights, by name."""
        for name in weights:
            if name not in WEIGHTS:
                raise UnknownName(name, WEIGHTS, "weight")
        return replace(self, **weights) if weights else self
