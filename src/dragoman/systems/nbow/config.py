"""The settings of the nbow system, checked once."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Self

from dragoman.errors import ConfigError, UnknownName
from dragoman.vectors.bags import FIRST_WORDS, Weighting

LISTS = ("vectors", "lexicons")


@dataclass(frozen=True, kw_only=True, slots=True)
class NbowConfig:
    """Which word vectors are averaged, and with which weights."""

    vectors: tuple[Path, ...]  # folders of word vectors, one per language
    weighting: Weighting = Weighting.IDF
    misspelt: int = 0  # Levenshtein distance within which an unknown word borrows a vector
    collapse: bool = False  # words spelt alike in two languages share a vector
    seed: int = 0  # of the choice among equally near words
    translate: bool = False  # the query's words go through a lexicon first
    lexicons: tuple[Path, ...] = ()  # the user's own tables, before the shipped ones
    first: int = FIRST_WORDS  # known words that are read of a text

    def __post_init__(self) -> None:
        if not self.vectors:
            raise ConfigError(
                "nbow needs word vectors: name folders of them as 'vectors', as 'dragoman learn"
                " embeddings' writes"
            )
        if self.misspelt < 0 or self.first < 1:
            raise ConfigError(
                f"misspelt must be 0 or more and first 1 or more, got {self.misspelt}, {self.first}"
            )

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The configuration named by plain settings: those above."""
        known = [one.name for one in fields(cls)]
        for name in settings:
            if name not in known:
                raise UnknownName(name, known, "setting")
        checked: dict[str, object] = {"vectors": (), **settings}
        for name in LISTS:
            folders = checked.get(name, ())
            if isinstance(folders, str) or not isinstance(folders, list | tuple):
                raise ConfigError(f"{name} must be a list of folders, got {folders!r}")
            checked[name] = tuple(Path(str(folder)) for folder in folders)
        chosen = str(checked.get("weighting", Weighting.IDF))
        if chosen not in list(Weighting):
            raise UnknownName(chosen, [one.value for one in Weighting], "weighting")
        checked["weighting"] = Weighting(chosen)
        return cls(**checked)  # type: ignore[arg-type]  # checked by __post_init__

    @property
    def plain(self) -> dict[str, object]:
        """Settings that ``from_settings`` reads, with folders by their whole paths."""
        return {
            name: [str(path.resolve()) for path in value] if name in LISTS else value
            for name, value in asdict(self).items()
        }
