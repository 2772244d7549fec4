"""The settings of a training, checked once; the same for every neural system."""

from dataclasses import dataclass
from enum import StrEnum

from dragoman.errors import ConfigError
from dragoman.settings import parse_choice


class Precision(StrEnum):
    """The numbers that the forward pass computes with; parameters are always float32."""

    FULL = "no"
    BFLOAT16 = "bf16"  # where the device has it


@dataclass(frozen=True, kw_only=True, slots=True)
class TrainConfig:
    """How a model is fitted, whatever it computes."""

    epochs: int = 30
    learning_rate: float = 0.01
    decay: float = 1.0  # what the learning rate is multiplied by after every epoch
    warm_up: int = 0  # steps over which the learning rate rises evenly from nothing
    max_gradient_norm: float = 0.0  # gradients are scaled down to it; 0 leaves them as they are
    patience: int = 0  # epochs without a better validation before it stops; 0 never stops early
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
