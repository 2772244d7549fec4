"""A student encoder: one language's words in the space of a teacher that does not know it.

A text is the sum of its words' vectors, a word the sum of its own row and those of its character
n-grams, weighed by its idf; the sum is brought to length one. The rows are learnt so that the sums
lie where the teacher puts the translations (``distillation``). Encoding takes microseconds a word
and needs no model runtime. Names and numbers, which no bitext teaches, are what a teacher reads
even in a language that it does not know: the family of encoders adds the teacher's own vector of a
text, ``blend`` times the share of the text's weight that is in words the student never met. Where
the teacher does not read the script, it is given the text in Latin letters (``romanized``).

    FOLDER/student.json          format, language, teacher's space, how it was learnt, hashes
    FOLDER/student.safetensors   keys, weights, codes, spreads
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

from dragoman.errors import InputError
from dragoman.protocols import Advance, silent
from dragoman.text.facts import Format
from dragoman.text.files import staged_folder
from dragoman.types import FloatArray
from dragoman.vectors.quantized import QuantizedRows
from dragoman.vectors.sentence import STUDENT_FACTS, SentenceEncoder, normalized
from dragoman.vectors.subwords import Vocabulary, Words

FORMAT = Format("dragoman-student", 1, "'dragoman learn encoder'")
TENSORS = "student.safetensors"
CACHED_WORDS = 16_384  # vectors of words met before; 32 MB at 512 dimensions


class Student(SentenceEncoder):
    """The encoder of one language, in its teacher's space."""

    def __init__(
        self,
        language: str,
        space: str,
        vocabulary: Vocabulary,
        table: QuantizedRows,
        facts: Mapping[str, Any] | None = None,
        *,
        blend: float = 0.0,
        romanized: bool = False,
    ) -> None:
        self.language, self.space = language, space
        self.blend, self.romanized = blend, romanized
        self.name, self.languages = f"student-{language}", frozenset({language})
        self.vocabulary, self.table = vocabulary, table
        self.dimension = table.dimension
        self.facts = dict(facts or {})  # how it was learnt: data, settings, measured accuracy
        self._words = Words(language)
        self._vectors: dict[str, FloatArray] = {}
        digest = sha256()
        for array in self._tensors().values():
            digest.update(array.tobytes())
        numbers = f"{digest.hexdigest()[:12]}|blend:{blend}|romanized:{romanized}"
        self.signature = f"{self.name}|{space}|{numbers}|{self._words.signature}"

    def encode(self, texts: Sequence[str], advance: Advance = silent) -> FloatArray:
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
        """The share of each text's weight that is in words without a row; 1 for no word at all."""
        shares = np.ones(len(texts), dtype=np.float32)
        for row, text in enumerate(texts):
            words = self._words(text)
            weights = np.array([self.vocabulary.weight(word) for word in words])
            known = np.array([self.vocabulary.has(word) for word in words], dtype=bool)
            if weights.sum() > 0:
                shares[row] = weights[~known].sum() / weights.sum()
        return shares

    def _vector(self, word: str) -> FloatArray:
        found = self._vectors.get(word)
        if found is None:
            rows, weights = self.vocabulary.features(word)
            found = self.vocabulary.weight(word) * (weights @ self.table.rows(rows))
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
            "dimension": self.dimension,
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
                facts.pop("bits"), facts.pop("dimension"), tensors["codes"], tensors["spreads"]
            )
            vocabulary = Vocabulary(tensors["keys"], tensors["weights"], facts.pop("unseen"))
            language, space = facts.pop("language"), facts.pop("space")
            beside = {name: facts.pop(name) for name in ("blend", "romanized")}
        except (OSError, SafetensorError, KeyError) as error:
            raise InputError(
                path,
                None,
                found=f"no student's numbers ({error})",
                expected="what 'dragoman learn encoder' wrote",
            ) from error
        return cls(language, space, vocabulary, table, facts, **beside)

    def _tensors(self) -> dict[str, NDArray[Any]]:
        return {
            "codes": self.table.codes,
            "keys": self.vocabulary.keys,
            "spreads": self.table.spreads,
            "weights": self.vocabulary.weights,
        }
