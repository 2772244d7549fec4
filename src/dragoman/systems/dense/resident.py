"""Sentence vectors in a store: one row per passage, a document scored by its best."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from dragoman.errors import IndexFault
from dragoman.indexes.one_space import OneSpace
from dragoman.indexes.spaces import Space, SpaceKind, Vector
from dragoman.protocols import Advance
from dragoman.systems.dense.collected import document_passages
from dragoman.systems.dense.config import DenseConfig
from dragoman.systems.dense.system import family_of
from dragoman.types import Document, Explanation, FloatArray, Query, Text
from dragoman.vectors.family import EncoderFamily
from dragoman.vectors.student import Student

if TYPE_CHECKING:
    from dragoman.systems.dense.explanation import Links

FACTS, STUDENTS = "facts.json", "students"
REMEMBERED = 1024  # question vectors kept, for fusion and for people who ask again


class ResidentDense(OneSpace):
    """Passage vectors of documents that come and go; nothing about all of them is counted."""

    space = "dense"

    def __init__(self, config: DenseConfig, family: EncoderFamily) -> None:
        self._config, self._family = config, family
        self._question = lru_cache(REMEMBERED)(lambda text: family.encode([text])[0])

    @cached_property
    def _links(self) -> "Links":
        from dragoman.systems.dense.explanation import Links  # noqa: PLC0415 - a search needs none

        return Links(self._family)

    @classmethod
    def configure(cls, settings: Mapping[str, object]) -> DenseConfig:
        """The configuration that plain settings name."""
        return DenseConfig.from_settings(settings)

    @classmethod
    def prepare(cls, documents: Iterable[Document], config: DenseConfig, advance: Advance) -> Self:
        """The encoders; the documents have nothing to tell them."""
        for _ in documents:
            advance()
        return cls(config, family_of(config))

    @property
    def spaces(self) -> tuple[Space, ...]:
        """One space with a row per passage."""
        return (Space(self.space, SpaceKind.PASSAGES, self._family.dimension),)

    @property
    def languages(self) -> Collection[str]:
        """The languages that questions may be in."""
        return {*self._family.teacher.languages, *self._family.students}

    @property
    def taught(self) -> Collection[str]:
        """The languages that a student reads."""
        return self._family.students.keys()

    @property
    def settings(self) -> dict[str, object]:
        """The encoder and the passages; students are checked per language by ``load``."""
        return {
            "encoder": self._family.teacher.signature,
            "letters": self._config.passages.letters,
            "overlap": self._config.passages.overlap,
        }

    def notices(self, languages: Iterable[str]) -> list[str]:
        """The languages that neither the encoder nor a student reads."""
        return [notice for code in languages if (notice := self._family.notice(code))]

    def vectors(self, documents: Sequence[Document]) -> list[Mapping[str, Vector]]:
        """A row per passage; a document without a letter has no vector."""
        cut = [document_passages(document, self._config.passages) for document in documents]
        rows = self._family.encode([passage for passages in cut for passage in passages])
        ends = np.cumsum([len(passages) for passages in cut])
        parts = np.split(rows, ends[:-1]) if documents else []
        return [{self.space: part} if len(part) else {} for part in parts]

    def reads(self, language: str) -> bool:
        """Whether the encoder or a student was made for ``language``."""
        return self._family.reader(language).knows(language)

    def question(self, text: Text) -> FloatArray:
        """The vector of a question."""
        vector: FloatArray = self._question(text)
        return vector

    def explain(self, query: Query, document: Document) -> Explanation:
        """Which query word is nearest to which word of the document's best passage."""
        passages = document_passages(document, self._config.passages)
        if not passages:
            return Explanation(document.doc_id, 0.0, ())
        vectors = self._family.encode(passages)
        scores = vectors @ self.question(query.content)
        best = int(scores.argmax())
        return self._links.explained(
            document.doc_id, float(scores[best]), query.content, passages[best], vectors[best]
        )

    def save(self, folder: Path) -> None:
        """Write the settings and the user's own students."""
        for path in self._config.students:
            student = Student.load(path)
            student.save(folder / STUDENTS / student.language)
        facts = {
            "config": {
                "encoder": self._config.encoder,
                "shipped_students": self._config.shipped_students,
                "letters": self._config.passages.letters,
                "overlap": self._config.passages.overlap,
            },
            "readers": self._family.signatures(self._family.students),
        }
        (folder / FACTS).write_text(json.dumps(facts, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; refused where a language would be read differently now.

        A language that has got a student since is read by the encoder as before.
        """
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        own = sorted(str(path) for path in folder.glob(f"{STUDENTS}/*"))
        config = DenseConfig.from_settings({**facts["config"], "students": own})
        family = family_of(config)
        then = [one for code, one in family.students.items() if code in facts["readers"]]
        loaded = cls(config, EncoderFamily(family.teacher, then))
        now = loaded._family.signatures(loaded._family.students)
        if now != facts["readers"]:
            raise IndexFault(
                f"{folder}: the index was built with the students {facts['readers']}; this"
                f" installation has {now}. Build the index again."
            )
        return loaded
