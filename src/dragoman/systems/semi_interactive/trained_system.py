"""What the systems of trained models have in common: the model's folder, settings, warnings."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Self

from dragoman.errors import ConfigError
from dragoman.indexes.saved_system import read_facts, write_facts
from dragoman.settings import parse_settings
from dragoman.systems.semi_interactive.document_queries import TITLES
from dragoman.systems.semi_interactive.model import FACTS, RelevanceModel, load_model
from dragoman.types import Query

MODEL = "model"


@dataclass(frozen=True, kw_only=True, slots=True)
class RelevanceSystemConfig:
    """Which model reads queries and documents, and where relevant queries come from."""

    model: Path
    relevant_queries: str = TITLES


class RelevanceSystem:
    """A model of the architecture ``name``."""

    name: ClassVar[str]

    def __init__(self, model: RelevanceModel) -> None:
        self.model = model

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> RelevanceSystemConfig:
        """The configuration that plain settings name."""
        advice = (
            f"Train a model: dragoman train transformer COLLECTION --architecture {cls.name}"
            " -o MODEL. To re-rank, give its folder as the second stage itself."
        )
        return parse_settings(RelevanceSystemConfig, settings, advice=advice)

    @classmethod
    def create(cls, config: RelevanceSystemConfig) -> Self:
        """The system of the model that the configuration names."""
        return cls(cls.load_model(config.model))

    @classmethod
    def load_model(cls, folder: Path) -> RelevanceModel:
        """The model in ``folder``, or its export; one of another architecture is refused."""
        model = load_model(folder, served=True)
        if model.config.architecture != cls.name:
            raise ConfigError(
                f"{folder} is a {model.config.architecture} model; the system {cls.name} needs one"
                f" made by dragoman train transformer --architecture {cls.name}"
            )
        return model

    @property
    def languages(self) -> Collection[str]:
        """The languages of the queries that the model was trained on."""
        return frozenset(self.model.facts.get("languages", {}).get("queries", ()))

    @cached_property
    def _signature(self) -> str:
        return self.model.signature  # of every parameter, so computed once

    @property
    def settings(self) -> dict[str, object]:
        """The model."""
        return {"model": self._signature}

    def treatment(self, language: str) -> str:
        """The model, which reads every language alike."""
        del language
        return self._signature

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """Nothing: an encoder reads every language, well or badly, and does not say which."""
        del languages
        return []

    def query_warning(self, query: Query) -> str | None:
        """What to know of queries in this language; None where the model was trained on such."""
        known = self.languages
        if not known or query.language in known:
            return None
        return (
            f"the model was trained on queries in {', '.join(sorted(known))}; one in"
            f" {query.language or 'an unknown language'} is read by what its encoder learnt before"
        )

    def save(self, folder: Path) -> None:
        """Write the model, so that the index needs nothing else."""
        self.model.save(folder / MODEL)
        write_facts(folder, self.name)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote, or a model as it was trained."""
        read_facts(folder, cls.name)
        return cls(cls.load_model(folder if is_model(folder) else folder / MODEL))


def is_model(folder: Path) -> bool:
    """Whether ``folder`` holds a model as it was trained, not a system that was saved."""
    return (folder / FACTS).is_file()
