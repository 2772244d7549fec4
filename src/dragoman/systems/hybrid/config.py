"""The settings of the hybrid system, checked once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from dragoman.errors import ConfigError
from dragoman.ranking.balance import BEST
from dragoman.settings import shortcuts


class Fusion(StrEnum):
    """How the parts' scores become one."""

    Z_SCORES = "z-scores"
    RECIPROCAL_RANKS = "reciprocal-ranks"


@dataclass(frozen=True, kw_only=True, slots=True)
class HybridConfig:
    """Which systems have a say, how much, and over how many candidates each.

    ``dense_weight`` is the share of the sentence vectors where the encoder was made for both the
    query's and the document's language; ``student_weight`` where one of them is read by a student;
    ``untranslated_weight`` where no table leads from one to the other, so that words meet by names
    alone; ``unread_weight`` where, besides, no encoder knows one of them. They were set on
    development data over all language pairs together, never per collection.

    ``passage_discount`` times the logarithm of a document's number of passages is taken off its
    cosine: the best of many passages is near to anything by chance.

    ``boost_weight`` is what a document gains for each deviation by which it stands out as the
    translation of one of the ``boost_hits`` best hits by words; 0 hits leave that step out.
    """

    fusion: Fusion = Fusion.Z_SCORES
    dense_weight: float = 0.3
    student_weight: float = 0.3
    untranslated_weight: float = 0.85
    unread_weight: float = 0.3
    passage_discount: float = 0.04
    depth: int = BEST  # candidates that each part brings, at least
    boost_hits: int = 3
    boost_weight: float = 1.8
    # settings of the parts
    psq: Mapping[str, Any] | None = field(default=None, metadata=shortcuts("lexicons"))
    dense: Mapping[str, Any] | None = field(default=None, metadata=shortcuts("encoder", "students"))

    def __post_init__(self) -> None:
        for name in ("dense_weight", "student_weight", "untranslated_weight", "unread_weight"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} must lie between 0 and 1, got {getattr(self, name)}")
        if self.depth < 1:
            raise ConfigError(f"depth must be 1 or more, got {self.depth}")
        for name in ("boost_hits", "boost_weight", "passage_discount"):
            if getattr(self, name) < 0:
                raise ConfigError(f"{name} must be 0 or more, got {getattr(self, name)}")
