"""Encoders that share one space: a teacher and its students, each text read by the one that knows.

family = EncoderFamily(load_encoder("default"), shipped_students())
vectors = family.encode([Text("Wie entstehen Gezeiten?", "de"), Text("παλίρροια", "el")])
"""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from dragoman.encoders.models import DATA
from dragoman.encoders.sentence_encoder import (
    STUDENT_FACTS,
    SentenceEncoder,
    load_encoder,
    normalized,
)
from dragoman.encoders.student import Student
from dragoman.errors import ConfigError
from dragoman.protocols import Advance, no_progress
from dragoman.types import FloatArray, Text


@cache
def shipped_students() -> tuple[Student, ...]:
    """The students that come with the package; read once in a process."""
    return tuple(Student.load(path.parent) for path in sorted(DATA.glob(f"*/{STUDENT_FACTS}")))


class EncoderFamily:
    """A teacher and students in its space; a language's own student goes before the teacher."""

    def __init__(self, teacher: SentenceEncoder, students: Iterable[SentenceEncoder] = ()) -> None:
        self.teacher = teacher
        self.students: dict[str, SentenceEncoder] = {}
        for student in students:
            if student.space != teacher.space:
                raise ConfigError(
                    f"{student.name} was learnt in the space {student.space!r}; the encoder"
                    f" {teacher.name!r} has {teacher.space!r}. Learn it again from that encoder."
                )
            for language in student.languages:
                self.students[language] = student

    @property
    def dimension(self) -> int:
        """The length of every vector."""
        return self.teacher.dimension

    def encoder_for(self, language: str) -> SentenceEncoder:
        """The encoder that reads ``language``: its student, or the teacher."""
        return self.students.get(language, self.teacher)

    def encode(self, texts: Sequence[Text], advance: Advance = no_progress) -> FloatArray:
        """One row per text, in order, each by the reader of its language."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        rows: dict[str, list[int]] = {}
        for row, text in enumerate(texts):
            rows.setdefault(self.encoder_for(text.language).name, []).append(row)
        for chosen in rows.values():
            reader = self.encoder_for(texts[chosen[0]].language)
            vectors[chosen] = self._read(reader, [texts[row].body for row in chosen], advance)
        return vectors

    def _read(self, reader: SentenceEncoder, texts: Sequence[str], advance: Advance) -> FloatArray:
        """The reader's vectors; what a student never met, its teacher reads beside it."""
        vectors = reader.encode(texts, advance)
        if not isinstance(reader, Student) or not reader.blend:
            return vectors
        shares = np.float32(reader.blend) * reader.unseen(texts)
        beside = self.teacher.encode([reader.for_teacher(text) for text in texts])
        return normalized(vectors + shares[:, None] * beside)

    def warning(self, language: str) -> str | None:
        """What a person should know before trusting results in ``language``; None if nothing."""
        reader = self.encoder_for(language)
        if not language or reader.supports(language):
            return None
        return (
            f"the encoder {self.teacher.name!r} does not know {language}; only names and loan words"
            f" can match. Teach it: dragoman learn encoder BITEXT --languages en-{language} -o DIR"
        )

    def signatures(self, languages: Iterable[str]) -> dict[str, str]:
        """The signature of each language's reader."""
        return {language: self.encoder_for(language).signature for language in sorted(languages)}


def load_family(encoder: str, students: Iterable[Path], *, shipped: bool) -> EncoderFamily:
    """The named encoder and its students; shipped ones only where they are in its space."""
    teacher = load_encoder(encoder)
    fitting = [one for one in shipped_students() if one.space == teacher.space] if shipped else []
    return EncoderFamily(teacher, [*fitting, *map(Student.load, students)])
