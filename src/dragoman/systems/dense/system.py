"""Ranks documents by the nearest of their passages to the query, by sentence vectors.

Documents and queries go through the same family of encoders, each text through the one that knows
its language; a score is a cosine, at most one. The search is exact.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from dragoman.indexes.saved import read_facts, write_facts
from dragoman.protocols import Advance
from dragoman.systems.dense.collected import collect, document_passages
from dragoman.systems.dense.config import DenseConfig
from dragoman.systems.dense.passages import PassageVectors, rounded
from dragoman.types import Document, Explanation, FloatArray, Query, Ranking, Text
from dragoman.vectors.family import EncoderFamily, load_family
from dragoman.vectors.passages import split
from dragoman.vectors.student import Student

if TYPE_CHECKING:
    from dragoman.systems.dense.explanation import Links

STUDENTS = "students"


class DenseSystem:
    """A collection's passage vectors and the encoders that made them."""

    name: ClassVar[str] = "dense"
    reads_texts_alone: ClassVar[bool] = True  # what it makes of a text depends on no other

    def __init__(
        self,
        config: DenseConfig,
        family: EncoderFamily,
        passages: PassageVectors,
        notices: Sequence[str] = (),
    ) -> None:
        self.config, self.family, self.passages = config, family, passages
        self.notices = tuple(notices)

    @cached_property
    def _links(self) -> "Links":
        from dragoman.systems.dense.explanation import Links  # noqa: PLC0415 - a search needs none

        return Links(self.family)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> DenseConfig:
        """The configuration that plain settings name."""
        return DenseConfig.from_settings(settings)

    @classmethod
    def build(cls, documents: Iterable[Document], config: DenseConfig, advance: Advance) -> Self:
        """The system over ``documents``, which are read once and not kept."""
        family = family_of(config)
        passages = collect(documents, family, config.passages, advance)
        found = (family.notice(language) for language in passages.languages)
        return cls(config, family, passages, [notice for notice in found if notice])

    def search(self, query: Query, k: int, languages: Collection[str] | None = None) -> Ranking:
        """The ``k`` documents with the nearest passages; equal scores by id."""
        vector = self.family.encode([query.content])[0]
        return Ranking(query.query_id, self.passages.best(vector, k, languages))

    def query_notice(self, query: Query) -> str | None:
        """What a person should know before trusting this query's results; None if nothing."""
        return self.family.notice(query.language)

    def encode_queries(self, texts: Sequence[Text]) -> list[FloatArray]:
        """One matrix of a single row per query."""
        return [vector[None, :] for vector in self.family.encode(texts)]

    def encode_documents(self, texts: Sequence[Text]) -> list[FloatArray]:
        """One matrix per text, a row for each passage."""
        cut = [
            [
                Text(passage.text, text.language)
                for passage in split(text.body, self.config.passages)
            ]
            for text in texts
        ]
        vectors = self.family.encode([passage for passages in cut for passage in passages])
        ends = np.cumsum([len(passages) for passages in cut])
        return np.split(vectors, ends[:-1]) if texts else []

    def score(self, query: FloatArray, documents: Sequence[FloatArray]) -> FloatArray:
        """The cosine of each document's best passage; a document without one has -1."""
        best = [
            float((document @ query[0]).max()) if len(document) else -1.0 for document in documents
        ]
        return rounded(np.array(best, dtype=np.float32))

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word is nearest to which word of the document's best passage."""
        passages = document_passages(document, self.config.passages)
        vectors = self.passages.of_document(document.doc_id)
        if vectors is None or len(vectors) != len(passages):
            vectors = self.family.encode(passages)
        if not passages:
            return Explanation(document.doc_id, 0.0, ())
        asked = self.family.encode([query.content])[0]
        scores = rounded(vectors @ asked)
        best = int(scores.argmax())
        return self._links.explained(
            document.doc_id, float(scores[best]), query.content, passages[best], vectors[best]
        )

    @property
    def settings(self) -> dict[str, object]:
        """What must be equal for an index and a query to fit each other."""
        return {
            "encoder": self.family.teacher.signature,
            "readers": self.family.signatures(self.passages.languages),
            "letters": self.config.passages.letters,
            "overlap": self.config.passages.overlap,
        }

    def save(self, folder: Path) -> None:
        """Write vectors, configuration and the user's own students into ``folder``."""
        self.passages.save(folder)
        for path in self.config.students:
            student = Student.load(path)
            student.save(folder / STUDENTS / student.language)
        facts = {
            "encoder": self.config.encoder,
            "shipped_students": self.config.shipped_students,
            "letters": self.config.passages.letters,
            "overlap": self.config.passages.overlap,
        }
        write_facts(folder, self.name, config=facts, notices=self.notices)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; vectors are mapped, not read."""
        facts = read_facts(folder, cls.name)
        own = sorted(folder.glob(f"{STUDENTS}/*"))
        config = DenseConfig.from_settings({**facts["config"], "students": own})
        return cls(config, family_of(config), PassageVectors.load(folder), facts["notices"])


def family_of(config: DenseConfig) -> EncoderFamily:
    """The encoder and its students."""
    return load_family(config.encoder, config.students, shipped=config.shipped_students)
