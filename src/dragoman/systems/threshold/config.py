"""The settings of the threshold system, checked once."""

from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import ConfigError

FURTHEST, NEAREST = -1.0, 1.0  # cosines


@dataclass(frozen=True, kw_only=True, slots=True)
class ThresholdConfig:
    """Which word vectors are compared, and how near a word must be."""

    vectors: tuple[Path, ...]  # folders
    cosine: float = FURTHEST  # documents below it do not respond

    def __post_init__(self) -> None:
        if not FURTHEST <= self.cosine <= NEAREST:
            raise ConfigError(f"cosine must be from -1 to 1, got {self.cosine}")
