"""Ranks documents by the smooth cosine of a trained model; the search is exact."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar, Self

from dragoman.errors import ConfigError, UnknownName
from dragoman.indexes.saved import read_facts, write_facts
from dragoman.protocols import Advance
from dragoman.ranking.document_rows import DocumentRows, compared
from dragoman.systems.smooth.explanation import explain
from dragoman.systems.smooth.model import SmoothModel
from dragoman.types import Document, Explanation, FloatArray, Query, Ranking, Text

MODEL = "model"
PORTION = 4096  # documents that are encoded at a time


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
        self, model: SmoothModel, documents: DocumentRows, notices: Sequence[str] = ()
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
        ids: list[str] = []
        languages: list[str] = []
        rows: list[FloatArray | None] = []
        stream = iter(documents)
        while portion := list(islice(stream, PORTION)):
            ids += [document.doc_id for document in portion]
            languages += [document.language for document in portion]
            vectors = model.document_vectors([document.content for document in portion])
            rows += [vector if vector.any() else None for vector in vectors]
            advance(len(portion))
        found = DocumentRows.arranged(ids, languages, rows)
        return cls(model, found, document_notices(model, sorted(set(languages))))

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` documents with the highest smooth cosine; equal scores by id."""
        return self.search_many([query], k, languages)[0]

    def search_many(
        self, queries: Sequence[Query], k: int, languages: Collection[str] | None = None
    ) -> list[Ranking]:
        """The answers to many queries, each as if it were alone."""
        vectors = self.model.query_vectors(query.content for query in queries)
        return [
            Ranking(query.query_id, self.documents.nearest(vector, k, languages))
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
        return compared(query, documents)

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
        write_facts(folder, self.name, notices=self.notices)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; vectors are mapped, not read."""
        facts = read_facts(folder, cls.name)
        model = SmoothModel.load(folder / MODEL)
        return cls(model, DocumentRows.load(folder), facts["notices"])


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
