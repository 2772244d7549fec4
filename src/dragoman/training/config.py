"""The settings of a training that all neural systems share, checked once."""

from dataclasses import dataclass
from enum import StrEnum

from dragoman.errors import ConfigError
from dragoman.settings import parse_choice


class Precision(StrEnum):
    """The number format of the forward pass; parameters are always float32."""

    FULL = "no"
    BFLOAT16 = "bf16"  # where the device supports it


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainConfig:
    """How a model is trained, whatever it computes."""

    epochs: int = 30
    learning_rate: float = 0.01
    decay: float = 1.0  # factor of the learning rate after every epoch
    warm_up: int = 0  # steps over which the learning rate rises linearly from 0
    # gradients are clipped to it; 0 turns clipping off, infinity measures norms without clipping
    max_gradient_norm: float = 0.0
    patience: int = 0  # epochs without a better validation before early stopping; 0 turns it off
    precision: Precision = Precision.FULL
    seed: int = 0

    def __post_init__(self) -> None:
        if self.epochs < 0 or self.patience < 0:
            raise ConfigError(
                f"epochs and patience must be 0 or more, got {self.epochs} and {self.patience}"
            )
        if not self.learning_rate > 0:
            raise ConfigError(f"learning_rate must be above 0, got {self.learning_rate}")
        if not 0 < self.decay <= 1:
            raise ConfigError(f"decay must be above 0 and at most 1, got {self.decay}")
        if self.warm_up < 0:
            raise ConfigError(f"warm_up must be 0 or more steps, got {self.warm_up}")
        if self.max_gradient_norm < 0:
            raise ConfigError(f"max_gradient_norm must be 0 or more, got {self.max_gradient_norm}")
        object.__setattr__(self, "precision", parse_choice(Precision, self.precision, "precision"))
