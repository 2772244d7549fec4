"""Words of one language -> vectors of length one, and their folder on disk.

Word vectors come from ``readers/`` (published files), ``encoder_vectors`` (a sentence encoder) or
``bilingual/`` (learnt from bitext); ``space`` stacks those of several languages. A folder holds
``matrix.npy``, which is memory-mapped, ``words.txt`` and ``words.json``.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.embeddings.writer import (
    FACTS,
    FORMAT,
    MATRIX,
    WORDS,
    Digest,
    WordVectorsWriter,
)
from dragoman.errors import ConfigError, InputError
from dragoman.lexicons.vocabulary import lookup
from dragoman.types import FloatArray, IntArray

SAVED_ROWS = 1 << 14  # written at a time


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """One row of length one (float32) per word, frequent words first if frequencies are known."""

    language: str
    words: Sequence[str]
    matrix: FloatArray  # (words, dimension), possibly memory-mapped
    facts: Mapping[str, Any] = field(default_factory=dict)  # their origin, for people
    known_digest: str = ""  # of a saved folder
    lengths: FloatArray | None = None  # (words,): of the vectors in their file, where it was read
    _rows: dict[str, int] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or len(self.words) != len(self.matrix):
            raise ConfigError(
                f"found {len(self.words)} words and a matrix of shape {self.matrix.shape};"
                " expected one row per word"
            )
        if self.matrix.dtype != np.float32:
            raise ConfigError(f"word vectors must be float32, got {self.matrix.dtype}")
        if self.lengths is not None and len(self.lengths) != len(self.words):
            raise ConfigError(f"found {len(self.lengths)} lengths of {len(self.words)} vectors")

    def __len__(self) -> int:
        return len(self.words)

    @property
    def dimension(self) -> int:
        """The embedding dimension."""
        return int(self.matrix.shape[1])

    @property
    def digest(self) -> str:
        """A hash of all words and vectors; computed from all rows unless the folder stores it."""
        if self.known_digest:
            return self.known_digest
        digest = Digest()
        for start in range(0, len(self), SAVED_ROWS):
            stop = start + SAVED_ROWS
            digest.update(self.words[start:stop], self.matrix[start:stop])
        return str(digest)

    def rows(self, words: Sequence[str]) -> IntArray:
        """The row of every word in exactly this spelling, ``ABSENT`` for an unknown one."""
        if not self._rows and self.words:
            rows = {word: row for row, word in reversed(list(enumerate(self.words)))}
            object.__setattr__(self, "_rows", rows)
        return lookup(self._rows, words, np.int64)

    def restricted(self, vocabulary: Collection[str]) -> "WordVectors":
        """The words of ``vocabulary`` only, in their order here, in memory."""
        wanted = vocabulary if isinstance(vocabulary, set | frozenset) else frozenset(vocabulary)
        rows = [row for row, word in enumerate(self.words) if word in wanted]
        words = tuple(self.words[row] for row in rows)
        lengths = None if self.lengths is None else self.lengths[rows]
        matrix = np.asarray(self.matrix[rows])
        return WordVectors(self.language, words, matrix, self.facts, lengths=lengths)

    def save(self, folder: Path) -> None:
        """Write the folder; an old one is replaced only when all is written."""
        with WordVectorsWriter(folder, self.language, self.facts) as writer:
            for start in range(0, len(self), SAVED_ROWS):
                stop = start + SAVED_ROWS
                writer.write(self.words[start:stop], self.matrix[start:stop])

    @classmethod
    def open(cls, folder: Path) -> "WordVectors":
        """The vectors that ``save`` wrote; the matrix is memory-mapped."""
        facts = _read_facts(folder)
        try:
            words = (folder / WORDS).read_bytes().decode("utf-8").split("\n")[:-1]
            matrix = np.load(folder / MATRIX, mmap_mode="r", allow_pickle=False)
        except (OSError, ValueError) as error:
            raise InputError(
                folder, None, found=f"unreadable vectors ({error})", expected=f"{WORDS}, {MATRIX}"
            ) from error
        found = f"{len(words)} words, a {matrix.dtype} matrix of {matrix.shape}"
        if (len(words), *matrix.shape) != (facts["words"], facts["words"], facts["dimension"]):
            expected = f"{facts['words']} words and vectors of {facts['dimension']}"
            raise InputError(folder, None, found=found, expected=expected)
        if matrix.dtype != np.float32:
            raise InputError(folder, None, found=found, expected="a float32 matrix")
        known = str(facts.get("digest", ""))
        return cls(str(facts["language"]), words, matrix, facts["facts"], known)


def is_word_vectors(folder: Path) -> bool:
    """Whether ``folder`` was written by ``WordVectors.save``."""
    return (folder / FACTS).is_file()


def word_folders(folder: Path) -> list[Path]:
    """The folder itself, or its subfolders of languages, as ``learn embeddings`` writes them."""
    if is_word_vectors(folder) or not folder.is_dir():
        return [folder]
    inside = sorted(path for path in folder.iterdir() if is_word_vectors(path))
    return inside or [folder]


def _read_facts(folder: Path) -> dict[str, Any]:
    path = folder / FACTS
    if not path.is_file():
        raise InputError(
            folder,
            None,
            found=f"no {FACTS}",
            expected="a folder of saved word vectors",
            advice="Make one with: dragoman learn embeddings BITEXT --languages en-XX -o FOLDER",
        )
    return FORMAT.read(path)
