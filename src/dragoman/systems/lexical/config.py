"""The settings of the lexical systems, checked once; the same for every language and collection."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Self

from dragoman.errors import ConfigError, UnknownName
from dragoman.lexicons.tables import Tables
from dragoman.scores.bm25 import Bm25Config


@dataclass(frozen=True, kw_only=True, slots=True)
class LexicalConfig:
    """How documents are weighed and words translated."""

    lexicons: tuple[Path, ...] = ()  # the user's own tables; they come before the shipped ones
    translate: bool = True  # False: words meet only in their own form
    bm25: Bm25Config = field(default_factory=Bm25Config)

    def tables(self) -> Tables:
        """The tables that these settings ask for."""
        return Tables(self.lexicons) if self.translate else Tables(use_shipped=False)

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The configuration named by plain settings: those above, ``k1`` and ``b``."""
        known = {name for f in fields(cls) if (name := f.name) != "bm25"} | {"k1", "b"}
        for name in settings:
            if name not in known:
                raise UnknownName(name, known, "setting")
        plain = dict(settings)
        saturation = {name: _number(name, plain.pop(name)) for name in ("k1", "b") if name in plain}
        paths = plain.pop("lexicons", ())
        if isinstance(paths, str) or not isinstance(paths, list | tuple):
            raise ConfigError(f"lexicons must be a list of folders, got {paths!r}")
        lexicons = tuple(Path(str(path)) for path in paths)
        return cls(lexicons=lexicons, bm25=Bm25Config(**saturation), **plain)  # type: ignore[arg-type]


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ConfigError(f"{name} must be a number, got {value!r}")
    return float(value)
