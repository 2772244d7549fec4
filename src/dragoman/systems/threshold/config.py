"""The settings of the threshold system, checked once."""

from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import ConfigError

MIN_COSINE, MAX_COSINE = -1.0, 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class ThresholdConfig:
    """The word vectors and the threshold."""

    vectors: tuple[Path, ...]  # folders
    cosine: float = MIN_COSINE  # the threshold; documents below it are not hits

    def __post_init__(self) -> None:
        if not MIN_COSINE <= self.cosine <= MAX_COSINE:
            raise ConfigError(f"cosine must be from -1 to 1, got {self.cosine}")
