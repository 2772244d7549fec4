"""What all systems with a trained model share: settings, warnings, saving and loading."""

from abc import ABC, abstractmethod
from collections.abc import Collection
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Generic, Protocol, Self, TypeVar

from dragoman.indexes.saved_system import read_facts, write_facts
from dragoman.types import Query

MODEL = "model"  # the folder of the model in that of the system


class SystemModel(Protocol):
    """A model that a system can save."""

    @property
    def signature(self) -> str:
        """Models with the same signature compute the same."""
        ...

    def save(self, folder: Path) -> None:
        """Write the model into ``folder``."""
        ...


Model = TypeVar("Model", bound=SystemModel)


class TrainedSystem(ABC, Generic[Model]):
    """A system whose document representations all come from one trained model."""

    name: ClassVar[str]
    # ends the warning about a query in a language without training queries
    untrained_language: ClassVar[str] = "finds nothing"

    def __init__(self, model: Model) -> None:
        self.model = model

    @classmethod
    @abstractmethod
    def load_model(cls, folder: Path) -> Model:
        """The model that was saved in ``folder``."""

    @property
    @abstractmethod
    def languages(self) -> Collection[str]:
        """The languages of the queries that the model was trained on."""

    @property
    def options(self) -> dict[str, object]:
        """The settings other than the model."""
        return {}

    @property
    def settings(self) -> dict[str, object]:
        """The model by its signature, and the options."""
        return {"model": self._signature, **self.options}

    @cached_property
    def _signature(self) -> str:
        return self.model.signature  # hashes every parameter

    def treatment(self, language: str) -> str:
        """The model, which encodes all languages."""
        del language
        return self._signature

    def query_warning(self, query: Query) -> str | None:
        """A warning if the model was trained on queries in other languages alone."""
        known = self.languages
        if not known or query.language in known:
            return None
        return (
            f"the model was trained on queries in {', '.join(sorted(known))}; one in"
            f" {query.language or 'an unknown language'} {self.untrained_language}"
        )

    def save(self, folder: Path) -> None:
        """Write the model and the options: an index needs nothing else."""
        self.model.save(folder / MODEL)
        write_facts(folder, self.name, **self.options)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        read_facts(folder, cls.name)
        return cls(cls.load_model(folder / MODEL))
