"""The settings of the dense system, checked once."""

from dataclasses import dataclass, field
from pathlib import Path

from dragoman.encoders.passages import PassageConfig
from dragoman.settings import FLATTENED


@dataclass(frozen=True, kw_only=True, slots=True)
class DenseConfig:
    """Which encoder encodes the texts, and how they are split into passages."""

    encoder: str = "default"  # a registered name or a folder
    students: tuple[Path, ...] = ()  # the user's own, before the shipped ones
    shipped_students: bool = True
    passages: PassageConfig = field(default_factory=PassageConfig, metadata=FLATTENED)
