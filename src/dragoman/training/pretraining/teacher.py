"""A sentence encoder as teacher -> its vectors of some training texts, cached in a folder."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.encoders.sentence_encoder import SentenceEncoder
from dragoman.protocols import Advance, no_progress
from dragoman.storage.staging import staged_folder
from dragoman.types import IntArray

VECTORS, ROWS, SIGNATURE = "vectors.npy", "rows.npy", "signature.txt"


@dataclass(frozen=True, slots=True)
class TeacherVectors:
    """Vectors of the first sides of some training pairs."""

    rows: NDArray[np.int64]  # of each training pair: its row of ``vectors``, or -1
    vectors: NDArray[np.float16]

    @property
    def dimension(self) -> int:
        """The dimension of the vectors."""
        return int(self.vectors.shape[1])

    def of_pairs(self, pairs: IntArray) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """The indices of those ``pairs`` that have a vector, and their vectors."""
        rows = self.rows[pairs]
        known = np.flatnonzero(rows >= 0)
        return known, self.vectors[rows[known]].astype(np.float32)


def teacher_vectors(
    encoder: SentenceEncoder,
    texts: Sequence[str],
    text_ids: NDArray[np.int64],
    rows: IntArray,
    folder: Path,
    advance: Advance = no_progress,
) -> TeacherVectors:
    """The teacher's vectors of the ``texts`` of some ``rows``, from ``folder`` if they are there.

    Pairs with the same text have the same of ``text_ids`` and share a vector.
    """
    wanted, first = np.unique(text_ids[rows], return_index=True)
    if not _is_cached(encoder, wanted, folder):
        vectors = encoder.encode([texts[row] for row in rows[first]], advance)
        with staged_folder(folder) as staged:
            np.save(staged / VECTORS, vectors.astype(np.float16))
            np.save(staged / ROWS, wanted)
            (staged / SIGNATURE).write_text(encoder.signature, encoding="utf-8")
    vector_rows = np.full(int(text_ids.max(initial=-1)) + 1, -1, dtype=np.int64)
    vector_rows[wanted] = np.arange(len(wanted))
    return TeacherVectors(vector_rows[text_ids], np.load(folder / VECTORS))


def _is_cached(encoder: SentenceEncoder, wanted: IntArray, folder: Path) -> bool:
    """Whether ``folder`` has the vectors of this encoder for these texts."""
    if not (folder / SIGNATURE).is_file():
        return False
    same = (folder / SIGNATURE).read_text(encoding="utf-8") == encoder.signature
    return same and np.array_equal(np.load(folder / ROWS), wanted)
