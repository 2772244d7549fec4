"""Sentence vectors in a store: one row per passage, a document scored by its best."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Self

import numpy as np

from dragoman.errors import IndexFault
from dragoman.indexes.one_space import OneSpace
from dragoman.indexes.resident import Finish
from dragoman.indexes.spaces import Record, Space, SpaceKind, Vector
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
    """Passage vectors of documents that come and go; all that is noted is their languages."""

    space = "dense"

    def __init__(
        self, config: DenseConfig, family: EncoderFamily, read: Iterable[str] = ()
    ) -> None:
        self._config, self._family = config, family
        self._read = {*read}  # languages of documents; one stays when its last document goes
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
    def prepare(cls, config: DenseConfig) -> Self:
        """The encoders."""
        return cls(config, family_of(config))

    def emptied(self) -> Self:
        """The same encoders, with no document read."""
        return type(self)(self._config, self._family)

    def observe(self, records: Iterable[Record]) -> None:
        """Note whose reader must stay what it is."""
        self._read.update(record.document.language for record in records)

    def recount(self, records: Iterable[Record]) -> None:
        """The same for documents that an earlier process put into the store."""
        self.observe(records)

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

    def begun(self, documents: Sequence[Document], beside: Executor) -> Finish:
        """All of it can be done beside."""
        return beside.submit(self.vectors, documents).result

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
            "readers": self._family.signatures(self._read),
        }
        (folder / FACTS).write_text(json.dumps(facts, indent=1), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; refused where documents would be read differently now.

        A language that has got a student since its documents were read is read as before.
        """
        facts = json.loads((folder / FACTS).read_text(encoding="utf-8"))
        own = sorted(str(path) for path in folder.glob(f"{STUDENTS}/*"))
        config = DenseConfig.from_settings({**facts["config"], "students": own})
        family, then = family_of(config), facts["readers"]
        untaught = {code for code, reader in then.items() if reader == family.teacher.signature}
        students = [one for code, one in family.students.items() if code not in untaught]
        loaded = cls(config, EncoderFamily(family.teacher, students), then)
        now = loaded._family.signatures(then)
        if changed := [code for code in then if then[code] != now[code]]:
            raise IndexFault(
                f"{folder}: documents in {', '.join(changed)} were read by other students than this"
                " installation has, so that its vectors do not fit new questions. Build the index"
                " again: dragoman index CORPUS -o INDEX"
            )
        return loaded
