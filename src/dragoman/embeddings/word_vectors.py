"""Words of one language -> vectors of length one: the type that travels, and its folder on disk.

What flows in comes from ``readers/`` (published files), ``encoded_words`` (a sentence encoder) or
``bilingual_*`` (learnt here); what flows out are rows for ``space``, which stacks languages. A
folder holds ``matrix.npy``, read through memory mapping, ``words.txt`` and ``words.json``.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from dragoman.embeddings.writer import (
    FACTS,
    FORMAT,
    MATRIX,
    VERSION,
    WORDS,
    Digest,
    WordVectorsWriter,
)
from dragoman.errors import ConfigError, InputError
from dragoman.types import FloatArray, IntArray

ABSENT = -1
SAVED_ROWS = 1 << 14  # at a time


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """One row of length one (float32) per word, most frequent word first where that is known."""

    language: str
    words: Sequence[str]
    matrix: FloatArray  # (words, dimension), possibly memory-mapped
    facts: Mapping[str, Any] = field(default_factory=dict)  # where they come from, for people
    known_digest: str = ""  # of a folder that says it
    _numbers: dict[str, int] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        if self.matrix.ndim != 2 or len(self.words) != len(self.matrix):
            raise ConfigError(
                f"found {len(self.words)} words and a matrix of shape {self.matrix.shape};"
                " expected one row per word"
            )
        if self.matrix.dtype != np.float32:
            raise ConfigError(f"word vectors must be float32, got {self.matrix.dtype}")

    def __len__(self) -> int:
        return len(self.words)

    @property
    def dimension(self) -> int:
        """The length of every vector."""
        return int(self.matrix.shape[1])

    @property
    def digest(self) -> str:
        """What must be equal for two to hold the same; all is read where no folder says it."""
        if self.known_digest:
            return self.known_digest
        found = Digest()
        for start in range(0, len(self), SAVED_ROWS):
            stop = start + SAVED_ROWS
            found.take(self.words[start:stop], self.matrix[start:stop])
        return str(found)

    def rows(self, words: Sequence[str]) -> IntArray:
        """The row of every word as it is spelt, ``ABSENT`` for one that is not here."""
        if not self._numbers and self.words:
            numbers = {word: row for row, word in reversed(list(enumerate(self.words)))}
            object.__setattr__(self, "_numbers", numbers)
        find = self._numbers.get
        return np.fromiter((find(word, ABSENT) for word in words), np.int64, len(words))

    def restricted(self, vocabulary: Collection[str]) -> "WordVectors":
        """The words that ``vocabulary`` holds too, in the order they have here, in memory."""
        wanted = vocabulary if isinstance(vocabulary, set | frozenset) else frozenset(vocabulary)
        kept = [row for row, word in enumerate(self.words) if word in wanted]
        words = tuple(self.words[row] for row in kept)
        return WordVectors(self.language, words, np.asarray(self.matrix[kept]), self.facts)

    def save(self, folder: Path) -> None:
        """Write everything to ``folder``, replacing what stood there only when all is written."""
        with WordVectorsWriter(folder, self.language, self.facts) as writer:
            for start in range(0, len(self), SAVED_ROWS):
                stop = start + SAVED_ROWS
                writer.write(self.words[start:stop], self.matrix[start:stop])

    @classmethod
    def open(cls, folder: Path) -> "WordVectors":
        """What ``save`` wrote; the matrix stays on disk until its rows are used."""
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
    """The folder itself, or those of the languages in it, as ``learn embeddings`` writes them."""
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
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(path, None, found=f"broken JSON ({error})", expected=FORMAT) from error
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise InputError(path, None, found="another format", expected=FORMAT)
    if facts.get("version") != VERSION:
        raise InputError(
            path, None, found=f"version {facts.get('version')!r}", expected=f"version {VERSION}"
        )
    return facts
