"""Ranks documents by the nearest of their passages to the query, by sentence vectors.

Documents and queries go through the same family of encoders, each text through the one for
its language; a score is a cosine, at most one.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from dragoman.encoders.family import EncoderFamily, load_family
from dragoman.encoders.passages import PassageConfig, split_passages
from dragoman.encoders.student import Student
from dragoman.indexes.saved_system import read_facts, write_facts
from dragoman.indexes.search.evidence import vector_evidence
from dragoman.indexes.search.vector_search import VectorSearch
from dragoman.indexes.snapshot import Snapshot
from dragoman.indexes.spaces import Space, SpaceKind, Vector
from dragoman.indexes.system import Finish, StoredRows
from dragoman.settings import parse_settings
from dragoman.systems.dense.config import DenseConfig
from dragoman.types import Document, Explanation, FloatArray, IntArray, Query, Text

if TYPE_CHECKING:
    from dragoman.systems.dense.explanation import Links

STUDENTS = "students"
CACHED_QUERIES = 1024  # query vectors


class DenseSystem(VectorSearch):
    """Sentence encoders over an index of passage vectors."""

    name: ClassVar[str] = "dense"
    space: ClassVar[str] = "dense"
    sentence_space: ClassVar[str] = space

    def __init__(self, config: DenseConfig, family: EncoderFamily) -> None:
        self.config, self.family = config, family
        self._stored: StoredRows | None = None
        self._vector = lru_cache(CACHED_QUERIES)(lambda text: family.encode([text])[0])

    @cached_property
    def _links(self) -> "Links":
        from dragoman.systems.dense.explanation import Links  # noqa: PLC0415 - a search needs none

        return Links(self.family)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> DenseConfig:
        """The configuration that plain settings name."""
        return parse_settings(DenseConfig, settings)

    @classmethod
    def create(cls, config: DenseConfig) -> Self:
        """The encoders."""
        return cls(config, family_of(config))

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One space with a row per passage."""
        return (Space(self.space, SpaceKind.ROWS, self.family.dimension),)

    @property
    def languages(self) -> Collection[str]:
        """The languages that queries may be in."""
        return {*self.family.teacher.languages, *self.family.students}

    @property
    def student_languages(self) -> Collection[str]:
        """The languages that a student reads."""
        return self.family.students.keys()

    @property
    def settings(self) -> dict[str, object]:
        """The encoder and the passages; students are in the treatment of their languages."""
        return {
            "encoder": self.family.teacher.signature,
            "letters": self.config.passages.letters,
            "overlap": self.config.passages.overlap,
        }

    def treatment(self, language: str) -> str:
        """The encoder that reads the language."""
        return self.family.signatures([language])[language]

    def adapted(self, treatments: Mapping[str, str]) -> Self:
        """A language that has got a student since its documents were read is read as before."""
        teacher = self.family.teacher
        without_student = {
            code for code, reader in treatments.items() if reader == teacher.signature
        }
        students = [
            one for code, one in self.family.students.items() if code not in without_student
        ]
        return type(self)(self.config, EncoderFamily(teacher, students))

    def warnings(self, languages: Iterable[str]) -> list[str]:
        """The languages that neither the encoder nor a student reads."""
        unread = [code for code in languages if self.family.warning(code)]
        if len(unread) < 2:
            return [str(self.family.warning(code)) for code in unread]
        return [
            f"the encoder {self.family.teacher.name!r} does not support {', '.join(unread)}; only"
            " names and loan words can match. Train a student for each with:"
            " dragoman learn encoder BITEXT --languages PAIR -o DIR"
        ]

    def reads(self, language: str) -> bool:
        """Whether the encoder or a student was made for ``language``."""
        return self.family.encoder_for(language).supports(language)

    def reusing(self, stored: StoredRows) -> Self:
        """The system for documents some of whose passages are stored already."""
        system = type(self)(self.config, self.family)
        system._stored = stored
        return system

    def encode(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """A row per passage; a blank document has none. Equal passages are encoded once."""
        cut = [document_passages(document, self.config.passages) for document in documents]
        rows = self._stored_rows(documents) if self._stored else {}
        new = [*dict.fromkeys(one for passages in cut for one in passages if one not in rows)]
        rows.update(zip(new, self.family.encode(new), strict=True))
        return [
            {self.space: np.stack([rows[passage] for passage in passages])} if passages else {}
            for passages in cut
        ]

    def _stored_rows(self, documents: Sequence[Document]) -> dict[Text, FloatArray]:
        """The rows of passages in the documents that these replace."""
        assert self._stored is not None
        rows: dict[Text, FloatArray] = {}
        for document, stored in self._stored(documents, self.space):
            passages = document_passages(document, self.config.passages)
            if len(passages) == len(stored):
                rows.update(zip(passages, stored, strict=True))
        return rows

    def begin(self, documents: Sequence[Document], executor: Executor) -> Finish:
        """Several batches at a time keep all cores busy."""
        return executor.submit(self.encode, documents).result

    def query_vector(self, text: Text) -> FloatArray:
        """The vector of a query."""
        vector: FloatArray = self._vector(text)
        return vector

    def evidence(self, snapshot: Snapshot, query: Query, numbers: IntArray) -> FloatArray:
        """The cosine of each document, and its margin."""
        vector = self.query_vector(query.content)
        return vector_evidence(snapshot, self.space, vector, numbers)

    def explain(self, snapshot: Snapshot, query: Query, document: Document) -> Explanation:
        """Which query word is nearest to which word of the document's best passage."""
        del snapshot
        passages = document_passages(document, self.config.passages)
        if not passages:
            return Explanation(document.doc_id, 0.0, ())
        vectors = self.family.encode(passages)
        scores = vectors @ self.query_vector(query.content)
        best = int(scores.argmax())
        return self._links.explained(
            document.doc_id, float(scores[best]), query.content, passages[best], vectors[best]
        )

    def save(self, folder: Path) -> None:
        """Write the settings and the user's own students."""
        for path in self.config.students:
            student = Student.load(path)
            student.save(folder / STUDENTS / student.language)
        facts = {
            "encoder": self.config.encoder,
            "shipped_students": self.config.shipped_students,
            "letters": self.config.passages.letters,
            "overlap": self.config.passages.overlap,
        }
        write_facts(folder, self.name, config=facts)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        facts = read_facts(folder, cls.name)
        own = sorted(str(path) for path in folder.glob(f"{STUDENTS}/*"))
        return cls.create(parse_settings(DenseConfig, {**facts["config"], "students": own}))


def family_of(config: DenseConfig) -> EncoderFamily:
    """The encoder and its students."""
    return load_family(config.encoder, config.students, shipped=config.shipped_students)


def document_passages(document: Document, config: PassageConfig) -> list[Text]:
    """The passages of a document, title and text together."""
    content = document.content
    return [
        Text(passage.text, content.language) for passage in split_passages(content.body, config)
    ]
