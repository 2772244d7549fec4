"""The settings of an interactive, non-interactive or semi-interactive model, checked once."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from dragoman.errors import ConfigError
from dragoman.settings import parse_choice
from dragoman.training.batches import BatchConfig
from dragoman.training.config import Precision, TrainConfig

TOGETHER = 4  # examples with one document that share a batch, where documents are encoded apart
SHORTEST = 32  # tokens of an input: room for a few relevant queries and some of the document


class RelevanceArchitecture(StrEnum):
    """What is encoded together (Figure 1 of the paper)."""

    INTERACTIVE = "interactive"
    NON_INTERACTIVE = "non-interactive"
    SEMI_INTERACTIVE = "semi-interactive"


class Distillation(StrEnum):
    """How a teacher's probability s' enters the loss."""

    OFF = "off"
    PRINTED = "printed"  # equation 7: -s' log s
    SYMMETRIC = "symmetric"  # with the term that it lacks: -s' log s - (1 - s') log(1 - s)


class Probability(StrEnum):
    """How a cosine, which may be below 0, enters a logarithm."""

    EXTENDED = "extended"  # log goes on along its tangent below a small cosine
    CLAMPED = "clamped"  # the cosine is cut off, and teaches nothing beyond
    SHIFTED = "shifted"  # (1 + cosine) / 2


@dataclass(frozen=True, kw_only=True, slots=True)
class SemiInteractiveConfig:
    """Everything that decides what a training makes of its examples; defaults are the paper's."""

    architecture: RelevanceArchitecture = RelevanceArchitecture.SEMI_INTERACTIVE
    layers: int = 6  # at most so many of the encoder's, from the first
    relevant_queries: int = 3  # N: how many are read with a document; 0 for none
    max_length: int = 128  # tokens of an input, special ones included
    dropout: float = 0.1
    shared: bool = False  # one encoder for queries and documents instead of two
    # knowledge transfer; both do nothing without a teacher
    alpha: float = 0.7  # the share of the labels in the loss; the teacher has the rest
    distillation: Distillation = Distillation.PRINTED
    reuse_embeddings: bool = True  # begin with the teacher's word embeddings
    probability: Probability = Probability.EXTENDED
    learning_rate: float = 3e-5
    warm_up: int = 8000  # steps
    batch: int = 1024  # examples of a step
    epochs: int = 10
    patience: int = 2  # epochs without a better AUC before it stops; 0 never stops early
    max_gradient_norm: float = 1.0
    precision: Precision = Precision.FULL
    seed: int = 0

    def __post_init__(self) -> None:
        kinds = {
            "architecture": RelevanceArchitecture,
            "distillation": Distillation,
            "probability": Probability,
            "precision": Precision,
        }
        for name, kind in kinds.items():
            object.__setattr__(self, name, parse_choice(kind, getattr(self, name), name))
        if self.layers < 1 or self.relevant_queries < 0:
            raise ConfigError(
                "layers must be 1 or more and relevant_queries 0 or more, got"
                f" {self.layers} and {self.relevant_queries}"
            )
        if self.max_length < SHORTEST:
            raise ConfigError(f"max_length must be {SHORTEST} or more, got {self.max_length}")
        self.require_room(self.max_length)
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"dropout must be from 0 to below 1, got {self.dropout}")
        if not 0 <= self.alpha <= 1:
            raise ConfigError(f"alpha must be from 0 to 1, got {self.alpha}")
        _ = self.train_config, self.batch_config  # refuse what they refuse

    def require_room(self, places: int) -> None:
        """Refuse inputs of so few tokens that a relevant query would have none."""
        needed = 3 * self.relevant_queries + 3  # each has a separator, and half of the rest
        if self.architecture is RelevanceArchitecture.SEMI_INTERACTIVE and places < needed:
            raise ConfigError(
                f"{self.relevant_queries} relevant queries need {needed} tokens of an input at"
                f" least; there are {places}"
            )

    @property
    def train_config(self) -> TrainConfig:
        """What the shared training loop asks for."""
        return TrainConfig(
            epochs=self.epochs,
            learning_rate=self.learning_rate,
            warm_up=self.warm_up,
            max_gradient_norm=self.max_gradient_norm,
            patience=self.patience,
            precision=self.precision,
            seed=self.seed,
        )

    @property
    def batch_config(self) -> BatchConfig:
        """Batches of examples that are about equally long; some share a document."""
        apart = self.architecture is not RelevanceArchitecture.INTERACTIVE
        together = TOGETHER if apart else 1
        return BatchConfig(size=self.batch, bucket=50, together=together, seed=self.seed)

    def as_settings(self) -> dict[str, Any]:
        """Plain values, for a file that says how a model was made."""
        return asdict(self)
