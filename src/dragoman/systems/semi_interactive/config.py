"""The settings of an interactive, non-interactive or semi-interactive model, checked once."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from dragoman.errors import ConfigError
from dragoman.settings import parse_choice
from dragoman.training.batches import BatchConfig
from dragoman.training.config import Precision, TrainConfig

TOGETHER = 4  # consecutive examples of one document, if documents are encoded alone
SHORTEST = 32  # minimum of max_length: a few relevant queries and some of the document


class RelevanceArchitecture(StrEnum):
    """Which texts are encoded together (Figure 1 of the paper)."""

    INTERACTIVE = "interactive"
    NON_INTERACTIVE = "non-interactive"
    SEMI_INTERACTIVE = "semi-interactive"


class Distillation(StrEnum):
    """How the loss uses a teacher's probability s'."""

    OFF = "off"
    PRINTED = "printed"  # equation 7: -s' log s
    SYMMETRIC = "symmetric"  # with the missing term: -s' log s - (1 - s') log(1 - s)


class Probability(StrEnum):
    """How the loss takes the logarithm of a cosine, which may be negative."""

    EXTENDED = "extended"  # the tangent of the log below a small cosine
    CLAMPED = "clamped"  # the cosine is clamped, without a gradient beyond
    SHIFTED = "shifted"  # (1 + cosine) / 2


@dataclass(frozen=True, kw_only=True, slots=True)
class SemiInteractiveConfig:
    """All settings of a training; the defaults are the paper's."""

    architecture: RelevanceArchitecture = RelevanceArchitecture.SEMI_INTERACTIVE
    layers: int = 6  # maximum number of layers of the encoder
    relevant_queries: int = 3  # N: how many a document is encoded with
    pairs_with_queries: bool = False  # an interactive model reads [Q, D, Q1..N], not in the paper
    max_length: int = 128  # tokens of an input, special ones included
    dropout: float = 0.1
    shared: bool = False  # one encoder for queries and documents
    # knowledge transfer; no effect without a teacher
    alpha: float = 0.7  # weight of the labels in the loss; 1 - alpha is the teacher's
    distillation: Distillation = Distillation.PRINTED
    reuse_embeddings: bool = True  # initialize with the teacher's word embeddings
    probability: Probability = Probability.EXTENDED
    learning_rate: float = 3e-5
    warm_up: int = 8000  # steps
    batch: int = 1024  # examples per step
    epochs: int = 10
    patience: int = 2  # epochs without a better AUC before early stopping; 0 turns it off
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
        _ = self.train_config, self.batch_config  # checks their values

    def require_room(self, tokens: int) -> None:
        """Refuse inputs of too few ``tokens`` for all relevant queries."""
        needed = 3 * self.relevant_queries + 3  # a separator each, and half of the rest
        if self.reads_relevant_queries and tokens < needed:
            raise ConfigError(
                f"{self.relevant_queries} relevant queries need {needed} tokens of an input at"
                f" least; there are {tokens}"
            )

    @property
    def reads_relevant_queries(self) -> bool:
        """Whether a document is encoded together with its relevant queries."""
        if self.architecture is RelevanceArchitecture.INTERACTIVE:
            return self.pairs_with_queries
        return self.architecture is RelevanceArchitecture.SEMI_INTERACTIVE

    @property
    def train_config(self) -> TrainConfig:
        """The settings of the shared training loop."""
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
        """Batches of examples of similar length; some share a document."""
        interactive = self.architecture is RelevanceArchitecture.INTERACTIVE
        together = 1 if interactive else TOGETHER
        return BatchConfig(size=self.batch, bucket=50, together=together, seed=self.seed)

    def as_settings(self) -> dict[str, Any]:
        """Plain values, saved with the model."""
        return asdict(self)
