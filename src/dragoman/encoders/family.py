"""Encoders with one vector space: a teacher and its students, each text encoded by its language.

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
    """The students in the package's data; read once per process."""
    return tuple(Student.load(path.parent) for path in sorted(DATA.glob(f"*/{STUDENT_FACTS}")))


class EncoderFamily:
    """A teacher and students in its space; a language with a student is encoded by it."""

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
        """The embedding dimension."""
        return self.teacher.dimension

    def encoder_for(self, language: str) -> SentenceEncoder:
        """The student for ``language``, or the teacher."""
        return self.students.get(language, self.teacher)

    def encode(self, texts: Sequence[Text], advance: Advance = no_progress) -> FloatArray:
        """One row per text, in order, each by the encoder for its language."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        rows: dict[str, list[int]] = {}
        for row, text in enumerate(texts):
            rows.setdefault(self.encoder_for(text.language).name, []).append(row)
        for chosen in rows.values():
            encoder = self.encoder_for(texts[chosen[0]].language)
            bodies = [texts[row].body for row in chosen]
            vectors[chosen] = self._encode_with(encoder, bodies, advance)
        return vectors

    def _encode_with(
        self, encoder: SentenceEncoder, texts: Sequence[str], advance: Advance
    ) -> FloatArray:
        """The encoder's vectors; a student's are blended with the teacher's for unseen names."""
        vectors = encoder.encode(texts, advance)
        if not isinstance(encoder, Student) or not encoder.blend:
            return vectors
        shares = np.float32(encoder.blend) * encoder.unseen_shares(texts)
        teacher_vectors = self.teacher.encode([encoder.teacher_input(text) for text in texts])
        return normalized(vectors + shares[:, None] * teacher_vectors)

    def warning(self, language: str) -> str | None:
        """A warning if no encoder supports ``language``, else None."""
        if not language or self.encoder_for(language).supports(language):
            return None
        return (
            f"the encoder {self.teacher.name!r} does not support {language}; only names and loan"
            " words can match. Train a student with:"
            f" dragoman learn encoder BITEXT --languages en-{language} -o DIR"
        )

    def signatures(self, languages: Iterable[str]) -> dict[str, str]:
        """The signature of each language's encoder."""
        return {language: self.encoder_for(language).signature for language in sorted(languages)}


def load_family(encoder: str, students: Iterable[Path], *, shipped: bool) -> EncoderFamily:
    """The named encoder and its students; shipped ones only if they are in its space."""
    teacher = load_encoder(encoder)
    candidates = shipped_students() if shipped else ()
    in_space = [student for student in candidates if student.space == teacher.space]
    return EncoderFamily(teacher, [*in_space, *map(Student.load, students)])
