"""What systems that search with a trained model have in common: its folder, settings, notices."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from dragoman.errors import ConfigError, UnknownName
from dragoman.ranking.document_rows import DocumentRows
from dragoman.systems.semi_interactive.attached import TITLES
from dragoman.systems.semi_interactive.model import RelevanceModel, load_model
from dragoman.types import Query

MODEL = "model"
PORTION = 1024  # documents that are encoded at a time
SETTINGS = ("model", "relevant_queries")


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchConfig:
    """Which model reads queries and documents, and where relevant queries come from."""

    model: Path
    relevant_queries: str = TITLES


def search_config(settings: Mapping[str, object], name: str) -> SearchConfig:
    """The configuration that plain settings name."""
    for setting in settings:
        if setting not in SETTINGS:
            raise UnknownName(setting, SETTINGS, "setting")
    if not settings.get("model"):
        raise ConfigError(
            f"the system {name} needs a trained model: give its folder as `model`, or as the"
            f" second stage itself; made by dragoman train {name} COLLECTION -o MODEL"
        )
    source = str(settings.get("relevant_queries") or TITLES)
    return SearchConfig(model=Path(str(settings["model"])), relevant_queries=source)


def load_kind(folder: Path, name: str) -> RelevanceModel:
    """The model in ``folder``, or its export; refused where it is of another kind than ``name``."""
    model = load_model(folder, served=True)
    if model.config.architecture != name:
        raise ConfigError(
            f"{folder} is a {model.config.architecture} model; the system {name} needs one made by"
            f" dragoman train {name}"
        )
    return model


class TrainedSystem:
    """A model of the kind ``name`` and the documents that it has read."""

    name: ClassVar[str]

    def __init__(self, model: RelevanceModel, documents: DocumentRows) -> None:
        self.model, self.documents = model, documents
        self.notices: tuple[str, ...] = ()

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> SearchConfig:
        """The configuration that plain settings name."""
        return search_config(settings, cls.name)

    def query_notice(self, query: Query) -> str | None:
        """What a person should know before trusting this query's results; None if nothing."""
        return query_notice(self.model, query.language)

    @cached_property
    def _signature(self) -> str:
        return self.model.signature  # of every parameter, so read once

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        return {"model": self._signature}


def query_notice(model: RelevanceModel, language: str) -> str | None:
    """What to know of queries in ``language``; None where the model was trained on such."""
    known = model.facts.get("languages", {}).get("queries", ())
    if not known or language in known:
        return None
    return (
        f"the model was trained on queries in {', '.join(sorted(known))}; one in"
        f" {language or 'an unknown language'} is read by what its encoder learnt before"
    )
