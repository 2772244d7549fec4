"""What the systems of the three architectures share: configuration, models, languages."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from dragoman.errors import ConfigError
from dragoman.indexes.saved_system import read_facts
from dragoman.settings import parse_settings
from dragoman.systems.semi_interactive.document_queries import TITLES
from dragoman.systems.semi_interactive.model import FACTS, RelevanceModel, load_model
from dragoman.training.trained_system import MODEL, TrainedSystem


@dataclass(frozen=True, kw_only=True, slots=True)
class RelevanceSystemConfig:
    """The trained model, and the source of relevant queries."""

    model: Path
    relevant_queries: str = TITLES


class RelevanceSystem(TrainedSystem[RelevanceModel]):
    """A model of the architecture ``name``."""

    untrained_language: ClassVar[str] = "is encoded as the pre-trained encoder does"

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> RelevanceSystemConfig:
        """The configuration that ``settings`` describe."""
        advice = (
            f"Train a model: dragoman train transformer COLLECTION --architecture {cls.name}"
            " -o MODEL. To re-rank, give its folder as the second stage itself."
        )
        return parse_settings(RelevanceSystemConfig, settings, advice=advice)

    @classmethod
    def create(cls, config: RelevanceSystemConfig) -> Self:
        """The system with the configured model."""
        return cls(cls.load_model(config.model))

    @classmethod
    def load_model(cls, folder: Path) -> RelevanceModel:
        """The model in ``folder``, with its export; another architecture is refused."""
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

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """None: which languages the encoder was pre-trained on is not known."""
        del languages
        return []

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote, or the folder of a trained model."""
        read_facts(folder, cls.name)
        return cls(cls.load_model(folder if is_model(folder) else folder / MODEL))


def is_model(folder: Path) -> bool:
    """Whether ``folder`` is that of a trained model, not of a saved system."""
    return (folder / FACTS).is_file()
