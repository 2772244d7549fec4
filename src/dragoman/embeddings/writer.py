"""Word vectors -> a folder, written block by block: the matrix need not fit into memory.

``words.json`` holds the facts, ``words.txt`` one word per line, ``matrix.npy`` the rows. The header
of the matrix has the number of rows, so it is written twice; numpy pads it to a fixed length.
"""

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import numpy as np
from numpy.lib import format as npy

from dragoman.errors import ConfigError
from dragoman.storage.facts import Format
from dragoman.storage.staging import staged_folder
from dragoman.types import FloatArray

FORMAT = Format("dragoman-word-vectors", 1, "'dragoman learn embeddings'")
FACTS, WORDS, MATRIX = "words.json", "words.txt", "matrix.npy"
LENGTH_TOLERANCE = 1e-3  # of rows of length one


class WordVectorsWriter:
    """A context manager that writes blocks of rows; the folder appears on exit without error."""

    def __init__(self, folder: Path, language: str, facts: Mapping[str, Any]) -> None:
        self.words, self.dimension = 0, 0
        self._folder, self._language, self._facts = folder, language, facts
        self._open = ExitStack()
        self._digest = Digest()

    def __enter__(self) -> Self:
        self._staged = self._open.enter_context(staged_folder(self._folder))
        self._matrix: IO[bytes] = self._open.enter_context((self._staged / MATRIX).open("wb"))
        self._text: IO[str] = self._open.enter_context(
            (self._staged / WORDS).open("w", encoding="utf-8", newline="\n")
        )
        return self

    def write(self, words: Sequence[str], vectors: FloatArray) -> None:
        """Append a block of rows of length one."""
        check_block(words, vectors)
        if not self.words:
            self.dimension = int(vectors.shape[1])
            self._write_header()
        self._matrix.write(np.ascontiguousarray(vectors, dtype="<f4").data)
        self._text.writelines(f"{word}\n" for word in words)
        self._digest.update(words, vectors)
        self.words += len(words)

    def _write_header(self) -> None:
        shape = (self.words, self.dimension)
        header = {"descr": "<f4", "fortran_order": False, "shape": shape}
        npy.write_array_header_1_0(self._matrix, header)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is not None:
            self._open.__exit__(kind, error, trace)
            return
        with self._open:
            self._finish()

    def _finish(self) -> None:
        rows_end = self._matrix.tell()
        self._matrix.seek(0)
        self._write_header()
        assert rows_end == 0 or self._matrix.tell() + 4 * self.words * self.dimension == rows_end
        facts = {
            "language": self._language,
            "words": self.words,
            "dimension": self.dimension,
            "digest": str(self._digest),
            "facts": dict(self._facts),
        }
        FORMAT.write(self._staged / FACTS, facts)


class Digest:
    """A hash of words and vectors that does not depend on their division into blocks."""

    def __init__(self) -> None:
        self._words, self._vectors = blake2b(digest_size=8), blake2b(digest_size=8)

    def update(self, words: Sequence[str], vectors: FloatArray) -> None:
        """Add a block of rows."""
        self._words.update("".join(f"{word}\n" for word in words).encode())
        self._vectors.update(np.ascontiguousarray(vectors, dtype="<f4").data)

    def __str__(self) -> str:
        return blake2b(self._words.digest() + self._vectors.digest(), digest_size=8).hexdigest()


def check_block(words: Sequence[str], vectors: FloatArray) -> None:
    """Raise ``ConfigError`` for a row not of length one, which cosines and transport assume."""
    for word in words:
        if "\n" in word:
            raise ConfigError(f"found a line end in the word {word!r}; expected none")
    lengths = np.linalg.norm(vectors, axis=1)
    wrong = np.flatnonzero(~(np.abs(lengths - 1) < LENGTH_TOLERANCE))
    if len(wrong):
        raise ConfigError(
            f"the vector of {words[int(wrong[0])]!r} has length {lengths[wrong[0]]:.4g};"
            " expected 1. Normalise the rows first, as the readers do."
        )
