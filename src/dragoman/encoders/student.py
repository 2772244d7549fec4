"""A student encoder: one language's words in the space of a teacher that does not support it.

A text is the sum of its words' vectors, a word the sum of its own row and those of its character
n-grams, weighted by its idf; the sum is scaled to length one. The rows are trained so that the sums
are close to the teacher's vectors of the translations (``distillation``), and stored in the few
directions of the teacher's space in which they differ (``compression``). Encoding takes
microseconds per word and needs no model runtime.

Names and numbers are rare in bitext, but the teacher encodes them in any language. So
``EncoderFamily`` adds the teacher's vector of the text, ``blend`` times the share of the text's
weight in out-of-vocabulary words that may be names. If the teacher does not support the script, it
is given the text in Latin letters (``romanized``).

    FOLDER/student.json          format, language, teacher's space, training, hashes
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
CACHED_WORDS = 16_384  # word vectors; 32 MB at 512 dimensions
# how likely an out-of-vocabulary word is a name: a lower-case one is mostly an inflected form or a
# compound of known words, which a teacher without the language cannot encode
CAPITALISED, CASELESS, LOWER_CASE = 1.0, 0.5, 0.25


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
        self.facts = dict(facts or {})  # its training: data, settings, measured accuracy
        self._words = UnstemmedAnalyzer(language)
        self._axes = basis.astype(np.float32)
        self._vectors: dict[str, FloatArray] = {}
        digest = sha256()
        for array in self._tensors().values():
            digest.update(array.tobytes())
        numbers = f"{digest.hexdigest()[:12]}|blend:{blend}|romanized:{romanized}"
        self.signature = f"{self.name}|{space}|{numbers}|{self._words.signature}"

    def encode(self, texts: Sequence[str], advance: Advance = no_progress) -> FloatArray:
        """One row per text; a text without any known feature is the zero vector."""
        sums = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in self._words(text):
                sums[row] += self._vector(word)
            advance()
        return normalized(sums)

    def teacher_input(self, text: str) -> str:
        """The text as it is given to the teacher, romanised if needed."""
        return anyascii(text) if self.romanized else text

    def unseen_shares(self, texts: Sequence[str]) -> FloatArray:
        """The share of each text's weight in unknown words that may be names; 1 for no words."""
        return np.array([self._unseen_share(text) for text in texts], dtype=np.float32)

    def _unseen_share(self, text: str) -> float:
        words = self._words.with_surface(text)
        weights = np.array([self.vocabulary.weight(word) for word, _ in words])
        names = [0.0 if self.vocabulary.has(word) else _name_weight(form) for word, form in words]
        return float(weights @ names / weights.sum()) if weights.sum() > 0 else 1.0

    def _vector(self, word: str) -> FloatArray:
        vector = self._vectors.get(word)
        if vector is None:
            rows, weights = self.vocabulary.features(word)
            reduced = self.vocabulary.weight(word) * (weights @ self.table.rows(rows))
            vector = reduced @ self._axes
            if len(self._vectors) >= CACHED_WORDS:
                self._vectors.clear()
            self._vectors[word] = vector
        return vector

    def save(self, folder: Path) -> None:
        """Write the student; the folder appears only when it is complete."""
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
        """The student that ``save`` wrote."""
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
            options = {name: facts.pop(name) for name in ("blend", "romanized")}
        except (OSError, SafetensorError, KeyError) as error:
            raise InputError(
                path,
                None,
                found=f"no arrays of a student ({error})",
                expected="what 'dragoman learn encoder' wrote",
            ) from error
        return cls(language, space, vocabulary, table, facts, basis=basis, **options)

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


def _name_weight(surface: str) -> float:
    """How likely an out-of-vocabulary word with this surface form is a name or a number."""
    if surface[:1].islower():
        return LOWER_CASE
    caseless = surface[:1].isalpha() and not surface[:1].isupper()
    return CASELESS if caseless else CAPITALISED
