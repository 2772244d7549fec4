"""A student encoder: one language's words in the space of a teacher that does not know it.

A text is the sum of its words' vectors, a word the sum of its own row and those of its character
n-grams, weighed by its idf; the sum is brought to length one. The rows are learnt so that the sums
lie where the teacher puts the translations (``distillation``), and kept in the few directions of
the teacher's space in which they differ (``shrinking``). Encoding takes microseconds a word and
needs no model runtime. Names and numbers, which no bitext teaches, are what a teacher reads even in
a language that it does not know: the family of encoders adds the teacher's own vector of a text,
``blend`` times the share of the text's weight that is in words the student never met, as far as
these may be names. Where the teacher does not read the script, it is given the text in Latin
letters (``romanized``).

    FOLDER/student.json          format, language, teacher's space, how it was learnt, hashes
    FOLDER/student.safetensors   keys, weights, codes, spreads, basis, rowless keys and weights
"""

from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from anyascii import anyascii
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load as tensors_from_bytes
from safetensors.numpy import save as tensors_to_bytes

from dragoman.encoders.quantization import QuantizedRows
from dragoman.encoders.sentence_encoder import STUDENT_FACTS, SentenceEncoder, normalized
from dragoman.encoders.subwords import RowlessWords, SubwordVocabulary, UnstemmedAnalyzer
from dragoman.errors import InputError
from dragoman.protocols import Advance, no_progress
from dragoman.storage.facts import Format
from dragoman.storage.staging import staged_folder
from dragoman.types import FloatArray

FORMAT = Format("dragoman-student", 2, "'dragoman learn encoder'")
TENSORS = "student.safetensors"
CACHED_WORDS = 16_384  # vectors of words met before; 32 MB at 512 dimensions
# how far a word that was never met may be a name: one in small letters is mostly a form or a
# compound of words that were, of which a teacher without the language makes nothing
CAPITALISED, CASELESS, SMALL = 1.0, 0.5, 0.25


class Student(SentenceEncoder):
    """The encoder of one language, in its teacher's space."""

    def __init__(
        self,
        language: str,
        space: str,
        vocabulary: SubwordVocabulary,
        table: QuantizedRows,
        facts: Mapping[str, Any] | None = None,
        *,
        basis: NDArray[np.float16],
        blend: float = 0.0,
        romanized: bool = False,
    ) -> None:
        self.language, self.space = language, space
        self.blend, self.romanized = blend, romanized
        self.name, self.languages = f"student-{language}", frozenset({language})
        self.vocabulary, self.table = vocabulary, table
        self.basis = basis  # (the table's columns, dimension)
        self.dimension = basis.shape[1]
        self.facts = dict(facts or {})  # how it was learnt: data, settings, measured accuracy
        self._words = UnstemmedAnalyzer(language)
        self._axes = basis.astype(np.float32)
        self._vectors: dict[str, FloatArray] = {}
        digest = sha256()
        for array in self._tensors().values():
            digest.update(array.tobytes())
        numbers = f"{digest.hexdigest()[:12]}|blend:{blend}|romanized:{romanized}"
        self.signature = f"{self.name}|{space}|{numbers}|{self._words.signature}"

    def encode(self, texts: Sequence[str], advance: Advance = no_progress) -> FloatArray:
        """One row per text; a text of which no part was ever met is the zero vector."""
        sums = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in self._words(text):
                sums[row] += self._vector(word)
            advance()
        return normalized(sums)

    def for_teacher(self, text: str) -> str:
        """The text as the teacher reads it beside the student."""
        return anyascii(text) if self.romanized else text

    def unseen(self, texts: Sequence[str]) -> FloatArray:
        """The share of each text's weight in words never met that may be names; 1 for no word."""
        return np.array([self._unseen(text) for text in texts], dtype=np.float32)

    def _unseen(self, text: str) -> float:
        words = self._words.as_written(text)
        weights = np.array([self.vocabulary.weight(word) for word, _ in words])
        names = [0.0 if self.vocabulary.has(word) else _name(written) for word, written in words]
        return float(weights @ names / weights.sum()) if weights.sum() > 0 else 1.0

    def _vector(self, word: str) -> FloatArray:
        found = self._vectors.get(word)
        if found is None:
            rows, weights = self.vocabulary.features(word)
            inside = self.vocabulary.weight(word) * (weights @ self.table.rows(rows))
            found = inside @ self._axes
            if len(self._vectors) >= CACHED_WORDS:
                self._vectors.clear()
            self._vectors[word] = found
        return found

    def save(self, folder: Path) -> None:
        """Write the student; the folder is in place only when whole."""
        facts = {
            "language": self.language,
            "space": self.space,
            "bits": self.table.bits,
            "blend": self.blend,
            "romanized": self.romanized,
            "columns": self.table.dimension,
            "unseen": self.vocabulary.unseen,
            **self.facts,
        }
        with staged_folder(folder) as staged:
            (staged / TENSORS).write_bytes(tensors_to_bytes(self._tensors()))
            FORMAT.write(staged / STUDENT_FACTS, facts)

    @classmethod
    def load(cls, folder: Path) -> "Student":
        """What ``save`` wrote."""
        facts = FORMAT.read(folder / STUDENT_FACTS)
        path = folder / TENSORS
        try:
            tensors = tensors_from_bytes(path.read_bytes())
            table = QuantizedRows(
                facts.pop("bits"), facts.pop("columns"), tensors["codes"], tensors["spreads"]
            )
            vocabulary = SubwordVocabulary(
                tensors["keys"],
                tensors["weights"],
                facts.pop("unseen"),
                RowlessWords(tensors["rowless_keys"], tensors["rowless_weights"]),
            )
            language, space = facts.pop("language"), facts.pop("space")
            basis = tensors["basis"]
            beside = {name: facts.pop(name) for name in ("blend", "romanized")}
        except (OSError, SafetensorError, KeyError) as error:
            raise InputError(
                path,
                None,
                found=f"no student's numbers ({error})",
                expected="what 'dragoman learn encoder' wrote",
            ) from error
        return cls(language, space, vocabulary, table, facts, basis=basis, **beside)

    def _tensors(self) -> dict[str, NDArray[Any]]:
        return {
            "basis": self.basis,
            "codes": self.table.codes,
            "keys": self.vocabulary.keys,
            "rowless_keys": self.vocabulary.rowless.keys,
            "rowless_weights": self.vocabulary.rowless.weights,
            "spreads": self.table.spreads,
            "weights": self.vocabulary.weights,
        }


def _name(written: str) -> float:
    """How far a word as it was written, which the student never met, may be a name or a number."""
    if written[:1].islower():
        return SMALL
    caseless = written[:1].isalpha() and not written[:1].isupper()
    return CASELESS if caseless else CAPITALISED
