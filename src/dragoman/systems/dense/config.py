"""The settings of the dense system, checked once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from dragoman.encoders.passages import PassageConfig
from dragoman.errors import ConfigError, UnknownName

KNOWN = ("encoder", "students", "shipped_students", "letters", "overlap")


@dataclass(frozen=True, kw_only=True, slots=True)
class DenseConfig:
    """Who reads the texts, and in what passages."""

    encoder: str = "default"  # a registered name or a folder
    students: tuple[Path, ...] = ()  # the user's own; they come before the shipped ones
    shipped_students: bool = True
    passages: PassageConfig = field(default_factory=PassageConfig)

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The configuration named by plain settings: those above, ``letters`` and ``overlap``."""
        for name in settings:
            if name not in KNOWN:
                raise UnknownName(name, KNOWN, "setting")
        folders = settings.get("students", ())
        if isinstance(folders, str) or not isinstance(folders, list | tuple):
            raise ConfigError(f"students must be a list of folders, got {folders!r}")
        sizes = {
            name: _whole_number(name, settings[name])
            for name in ("letters", "overlap")
            if name in settings
        }
        return cls(
            encoder=str(settings.get("encoder", "default")),
            students=tuple(Path(str(folder)) for folder in folders),
            shipped_students=bool(settings.get("shipped_students", True)),
            passages=PassageConfig(**sizes),
        )


def _whole_number(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ConfigError(f"{name} must be a whole number, got {value!r}")
    return value
