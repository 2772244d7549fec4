"""The settings of the Wasserstein system, checked once."""

from dataclasses import dataclass

from dragoman.errors import ConfigError
from dragoman.systems.bags.config import BagConfig


@dataclass(frozen=True, kw_only=True, slots=True)
class WassersteinConfig(BagConfig):
    """Which transport, over which word vectors, with which weights."""

    epsilon: float | None = 0.1  # the paper's lambda; None is exact transport

    def __post_init__(self) -> None:
        BagConfig.__post_init__(self)
        if self.epsilon is not None and not self.epsilon > 0:
            raise ConfigError(f"epsilon must be above 0, or none, got {self.epsilon}")
