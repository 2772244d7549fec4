"""What all trained models share: facts, signature, saving; a changed model is refused."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar

from torch import nn

from dragoman.errors import InputError
from dragoman.settings import parse_settings
from dragoman.storage.facts import Format
from dragoman.storage.staging import staged_folder

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Config = TypeVar("Config", bound="DataclassInstance")


class ModelFacts(NamedTuple, Generic[Config]):
    """The facts file of a saved model."""

    config: Config
    signature: str
    facts: dict[str, Any]  # everything else, such as how the model was trained


def read_model_facts(file: Format, path: Path, kind: type[Config]) -> ModelFacts[Config]:
    """What ``SavedModel.write_facts`` wrote, with a configuration of the class ``kind``."""
    facts = file.read(path)
    config = parse_settings(kind, facts.pop("config"))
    return ModelFacts(config, facts.pop("signature"), facts)


class SavedModel(nn.Module, ABC, Generic[Config]):
    """A model with a configuration and facts about its training."""

    def __init__(self, config: Config, facts: Mapping[str, Any] | None = None) -> None:
        super().__init__()
        self.config, self.facts = config, dict(facts or {})

    @property
    @abstractmethod
    def signature(self) -> str:
        """Models with the same signature compute the same."""

    @abstractmethod
    def write(self, folder: Path) -> None:
        """Write the model's files into ``folder``."""

    def write_facts(self, file: Format, path: Path, **more: object) -> None:
        """Write the configuration, the signature and the facts."""
        config, signature = asdict(self.config), self.signature
        file.write(path, {"config": config, "signature": signature, **more, **self.facts})

    def save(self, folder: Path) -> None:
        """Write the model; an earlier one stays in place until the new one is complete."""
        with staged_folder(folder) as staged:
            self.write(staged)

    def verify(self, folder: Path, signature: str) -> Self:
        """The model, ready to score; refused if it computes something else than when it was saved.

        ``folder`` is where it was loaded from.
        """
        if self.signature != signature:
            raise InputError(
                folder,
                None,
                found=f"a model whose signature is {self.signature} here",
                expected=signature,
                advice="Its files were changed, or this version tokenizes texts differently.",
            )
        return self.eval()
