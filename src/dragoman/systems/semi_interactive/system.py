"""Trained models as systems that search exactly: by cosine, or by reading every pair.

The non- and semi-interactive systems encode documents when they are built; a search encodes the
query alone. The interactive system keeps the documents' tokens and reads each with the query anew:
a search of a whole collection is slow, and it is at its place as a second stage.
"""

from collections.abc import Collection, Iterable, Sequence
from itertools import islice
from pathlib import Path
from typing import Self

import numpy as np

from dragoman.indexes.saved import read_facts, write_facts
from dragoman.protocols import Advance
from dragoman.ranking.document_rows import DocumentRows, compared, rounded
from dragoman.systems.semi_interactive.attached import NONE, Attached, attach
from dragoman.systems.semi_interactive.config import Architecture
from dragoman.systems.semi_interactive.explanation import explain
from dragoman.systems.semi_interactive.model import FACTS, RelevanceModel
from dragoman.systems.semi_interactive.trained import (
    MODEL,
    PORTION,
    SearchConfig,
    TrainedSystem,
    load_kind,
)
from dragoman.types import Document, Explanation, FloatArray, Query, Ranking, Text


class VectorSystem(TrainedSystem):
    """A collection's document vectors and the model that made them."""

    def __init__(self, model: RelevanceModel, documents: DocumentRows, attached: Attached) -> None:
        super().__init__(model, documents)
        self.attached = attached

    @classmethod
    def build(cls, documents: Iterable[Document], config: SearchConfig, advance: Advance) -> Self:
        """The system over ``documents``."""
        model = load_kind(config.model, cls.name)
        source = config.relevant_queries if cls.name == Architecture.SEMI_INTERACTIVE else NONE
        kept = list(documents)
        attached = attach(kept, source, model.config.relevant_queries)
        rows: list[FloatArray | None] = []
        stream = iter(kept)
        while portion := list(islice(stream, PORTION)):
            vectors = model.encode_documents(portion, [attached.of(one) for one in portion])
            rows += [vector if vector.any() else None for vector in vectors]
            advance(len(portion))
        ids = [document.doc_id for document in kept]
        languages = [document.language for document in kept]
        return cls(model, DocumentRows.arranged(ids, languages, rows), attached)

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` documents with the highest cosine; equal scores by id."""
        return self.search_many([query], k, languages)[0]

    def search_many(
        self, queries: Sequence[Query], k: int, languages: Collection[str] | None = None
    ) -> list[Ranking]:
        """The answers to many queries, each as if it were alone."""
        vectors = self.model.encode_queries(queries)
        return [
            Ranking(query.query_id, self.documents.nearest(vector, k, languages))
            for query, vector in zip(queries, vectors, strict=True)
        ]

    def encode_queries(self, texts: Sequence[Text]) -> list[FloatArray]:
        """One vector of length one per query."""
        return list(self.model.encode_queries(texts))

    def encode_documents(self, texts: Sequence[Text]) -> list[FloatArray]:
        """One vector of length one per text, which has no relevant queries here."""
        return list(self.model.encode_documents(texts))

    def score(self, query: FloatArray, documents: Sequence[FloatArray]) -> FloatArray:
        """The cosine of each document."""
        return compared(query, documents)

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word is nearest to which word of the document."""
        return explain_by_vectors(self.model, query, document, self.attached.of(document))

    def save(self, folder: Path) -> None:
        """Write vectors, relevant queries and the model into ``folder``."""
        self.documents.save(folder)
        self.attached.save(folder)
        self.model.save(folder / MODEL)
        write_facts(folder, self.name)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote, vectors mapped; or a model as it was trained, without documents."""
        read_facts(folder, cls.name)
        if (folder / FACTS).is_file():
            nothing = DocumentRows.arranged([], [], [])
            return cls(load_kind(folder, cls.name), nothing, Attached())
        model = load_kind(folder / MODEL, cls.name)
        return cls(model, DocumentRows.load(folder), Attached.load(folder))


class NonInteractiveSystem(VectorSystem):
    """Queries and documents encoded apart (equations 3 and 4)."""

    name = Architecture.NON_INTERACTIVE.value


class SemiInteractiveSystem(VectorSystem):
    """Documents encoded with their relevant queries (equations 4 and 6)."""

    name = Architecture.SEMI_INTERACTIVE.value


def explain_by_vectors(
    model: RelevanceModel, query: Query, document: Document, relevant: Sequence[Query]
) -> Explanation:
    """An explanation of a cosine."""
    (vector,) = model.encode_documents([document], [relevant])

    def scores(texts: Sequence[str]) -> FloatArray:
        asked = model.encode_queries([Text(text, query.language) for text in texts])
        found: FloatArray = (asked @ vector).astype(np.float64)
        return rounded(found)

    return explain(model, query, document, relevant, scores)
