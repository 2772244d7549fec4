"""Texts -> sentence vectors: what every encoder promises, and how one is found by its name.

Texts that mean the same lie close together, whatever their languages. Vectors have length one, so
the inner product of two is their cosine; a text without any letter is the zero vector, which is
close to nothing. A text's vector depends on that text alone, not on its neighbours in a batch.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from dragoman import registry
from dragoman.errors import ConfigError, InputError, UnknownName
from dragoman.protocols import Advance, no_progress
from dragoman.types import FloatArray

DEFAULT = "default"
STUDENT_FACTS = "student.json"


class SentenceEncoder(ABC):
    """Turns texts into vectors of length one."""

    name: str
    dimension: int
    languages: frozenset[str]  # canonical codes; empty where the model does not say
    signature: str  # encoders with the same signature give the same vectors
    space: str  # vectors can be compared where their encoders share this

    @abstractmethod
    def encode(self, texts: Sequence[str], advance: Advance = no_progress) -> FloatArray:
        """One float32 row per text, in order; ``advance`` is told of every text done."""

    def supports(self, language: str) -> bool:
        """Whether the encoder was made for ``language``; an encoder that does not say knows all."""
        return not self.languages or language in self.languages

    def require(self, language: str) -> None:
        """Refuse a language that the encoder was not made for."""
        if not self.supports(language):
            raise ConfigError(
                f"The encoder {self.name!r} does not know {language!r}; it knows"
                f" {', '.join(sorted(self.languages))}. Learn a student for it from sentence pairs:"
                f" dragoman learn encoder BITEXT --languages en-{language} -o FOLDER"
            )


def load_encoder(name: str | Path) -> SentenceEncoder:
    """The encoder registered under ``name``, or the one in the folder ``name``."""
    encoder: SentenceEncoder
    folder = Path(name)
    if str(name) in registry.ENCODERS:
        encoder = registry.find(registry.ENCODERS, str(name), "encoder")()
    elif not folder.is_dir():
        raise UnknownName(str(name), registry.ENCODERS, "encoder (and no such folder)")
    elif (folder / STUDENT_FACTS).is_file():
        encoder = registry.load("dragoman.encoders.student:Student").load(folder)
    elif any((folder / place / "model.onnx").is_file() for place in (".", "onnx")):
        encoder = registry.load("dragoman.encoders.onnx_encoder:OnnxEncoder")(folder)
    else:
        raise InputError(
            folder,
            None,
            found=f"neither {STUDENT_FACTS} nor model.onnx",
            expected="a learnt encoder or an ONNX export with its tokenizer.json",
            advice="Export a sentence-transformers model with: optimum-cli export onnx.",
        )
    return encoder


def normalized(vectors: FloatArray) -> FloatArray:
    """The rows at length one, as float32; a zero row stays zero."""
    # in float64: the squares of small entries vanish in float32, and lengths come out wrong
    squares = np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64)
    lengths = np.sqrt(squares)[:, None]
    units = np.zeros(vectors.shape, dtype=np.float32)
    np.divide(vectors, lengths, out=units, where=lengths > 0)
    return units
