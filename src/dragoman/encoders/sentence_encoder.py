"""Texts -> sentence vectors: the interface of all encoders, and loading one by name.

Texts with the same meaning have similar vectors, whatever their languages. Vectors have length one,
so that the inner product of two is their cosine; a text without any letter is the zero vector. The
vector of a text does not depend on the other texts of a batch.
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
    """Encodes texts as vectors of length one."""

    name: str
    dimension: int
    languages: frozenset[str]  # canonical codes; empty if the model does not list them
    signature: str  # encoders with the same signature give the same vectors
    space: str  # vectors are comparable if their encoders have the same space

    @abstractmethod
    def encode(self, texts: Sequence[str], advance: Advance = no_progress) -> FloatArray:
        """One float32 row per text, in order; ``advance`` is called for every text."""

    def supports(self, language: str) -> bool:
        """Whether ``language`` is among the encoder's; True if it does not list them."""
        return not self.languages or language in self.languages

    def require(self, language: str) -> None:
        """Raise ``ConfigError`` if the encoder does not support ``language``."""
        if not self.supports(language):
            raise ConfigError(
                f"The encoder {self.name!r} does not support {language!r}; it supports"
                f" {', '.join(sorted(self.languages))}. Train a student on sentence pairs:"
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
    elif any((folder / subfolder / "model.onnx").is_file() for subfolder in (".", "onnx")):
        encoder = registry.load("dragoman.encoders.onnx_encoder:OnnxEncoder")(folder)
    else:
        raise InputError(
            folder,
            None,
            found=f"neither {STUDENT_FACTS} nor model.onnx",
            expected="a student encoder or an ONNX export with its tokenizer.json",
            advice="Export a sentence-transformers model with: optimum-cli export onnx.",
        )
    return encoder


def normalized(vectors: FloatArray) -> FloatArray:
    """The rows scaled to length one, as float32; a zero row stays zero."""
    # float64, because the squares of small entries underflow in float32
    squares = np.einsum("ij,ij->i", vectors, vectors, dtype=np.float64)
    lengths = np.sqrt(squares)[:, None]
    units = np.zeros(vectors.shape, dtype=np.float32)
    np.divide(vectors, lengths, out=units, where=lengths > 0)
    return units
