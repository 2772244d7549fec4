"""Ranks documents by the smooth cosine of a trained model; the search is exact."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman.errors import ConfigError, IndexFault, UnknownName
from dragoman.protocols import Advance
from dragoman.systems.smooth.explanation import explain
from dragoman.systems.smooth.model import SmoothModel
from dragoman.systems.smooth.vectors import DocumentVectors, rounded
from dragoman.types import Document, Explanation, FloatArray, Query, Ranking, Text

CONFIG, MODEL = "config.json", "model"


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchConfig:
    """Which model reads queries and documents."""

    model: Path

    @classmethod
    def from_settings(cls, settings: Mapping[str, object]) -> Self:
        """The configuration that plain settings name."""
        for name in settings:
            if name != "model":
                raise UnknownName(name, ("model",), "setting")
        if not settings.get("model"):
            raise ConfigError(
                "the system smooth needs a trained model: give its folder as `model`, made by"
                " dragoman train smooth COLLECTION -o MODEL"
            )
        return cls(model=Path(str(settings["model"])))


class SmoothSystem:
    """A collection's document vectors and the model that made them."""

    name: ClassVar[str] = "smooth"

    def __init__(
        self, model: SmoothModel, documents: DocumentVectors, notices: Sequence[str] = ()
    ) -> None:
        self.model, self.documents, self.notices = model, documents, tuple(notices)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> SearchConfig:
        """The configuration that plain settings name."""
        return SearchConfig.from_settings(settings)

    @classmethod
    def build(cls, documents: Iterable[Document], config: SearchConfig, advance: Advance) -> Self:
        """The system over ``documents``, which are read once and not kept."""
        model = SmoothModel.load(config.model)
        met: dict[str, None] = {}
        vectors = DocumentVectors.encode(_noted(documents, met), model, advance)
        return cls(model, vectors, document_notices(model, sorted(met)))

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` documents with the highest smooth cosine; equal scores by id."""
        return self.search_many([query], k, languages)[0]

    def search_many(
        self, queries: Sequence[Query], k: int, languages: Collection[str] | None = None
    ) -> list[Ranking]:
        """The answers to many queries, each as if it were alone."""
        vectors = self.model.query_vectors(query.content for query in queries)
        return [
            Ranking(query.query_id, self.documents.best(vector, k, languages))
            for query, vector in zip(queries, vectors, strict=True)
        ]

    def query_notice(self, query: Query) -> str | None:
        """What a person should know before trusting this query's results; None if nothing."""
        return query_notice(self.model, query.language)

    def encode_queries(self, texts: Sequence[Text]) -> list[FloatArray]:
        """One vector per query, scaled by 1 / (norm + epsilon)."""
        return list(self.model.query_vectors(texts))

    def encode_documents(self, texts: Sequence[Text]) -> list[FloatArray]:
        """One vector per document, scaled by 1 / (norm + epsilon)."""
        return list(self.model.document_vectors(texts))

    def score(self, query: FloatArray, documents: Sequence[FloatArray]) -> FloatArray:
        """The smooth cosine of each document."""
        return rounded(np.array([document @ query for document in documents], dtype=np.float32))

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word is nearest to which word of the document."""
        return explain(self.model, query, document)

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        return {"model": self.model.signature}

    def save(self, folder: Path) -> None:
        """Write vectors, notices and the model into ``folder``."""
        self.documents.save(folder)
        self.model.save(folder / MODEL)
        facts = {"system": self.name, "notices": self.notices}
        (folder / CONFIG).write_text(json.dumps(facts, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; vectors are mapped, not read."""
        try:
            facts = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise IndexFault(
                f"{folder / CONFIG}: found no settings ({error}); build the index again."
            ) from error
        if facts["system"] != cls.name:
            raise IndexFault(f"{folder}: found {facts['system']!r}; expected {cls.name!r}.")
        model = SmoothModel.load(folder / MODEL)
        return cls(model, DocumentVectors.load(folder), facts["notices"])


def query_notice(model: SmoothModel, language: str) -> str | None:
    """What to know of queries in ``language``; None where the model was trained on such."""
    known = model.query_words.languages
    if language in known:
        return None
    return (
        f"the model was trained on queries in {', '.join(sorted(known))}; one in"
        f" {language or 'an unknown language'} finds nothing"
    )


def document_notices(model: SmoothModel, languages: Iterable[str]) -> list[str]:
    """A line for each language of documents that the model was not trained on."""
    known = model.document_words.languages
    return [
        f"the model was trained on documents in {', '.join(sorted(known))}; it does not know"
        f" {language or 'texts without a language'}, and these documents are not found"
        for language in languages
        if language not in known
    ]


def _noted(documents: Iterable[Document], met: dict[str, None]) -> Iterable[Document]:
    for document in documents:
        met[document.language] = None
        yield document
