"""A sentence encoder -> its vectors of some training texts, asked once and kept."""

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

    places: NDArray[np.int64]  # of each training pair: its row of ``vectors``, or -1
    vectors: NDArray[np.float16]

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return int(self.vectors.shape[1])

    def of_rows(self, rows: IntArray) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Which of ``rows`` the teacher was asked about, as places among them, and its vectors."""
        places = self.places[rows]
        known = np.flatnonzero(places >= 0)
        return known, self.vectors[places[known]].astype(np.float32)


def teacher_vectors(
    encoder: SentenceEncoder,
    texts: Sequence[str],
    identities: NDArray[np.int64],
    rows: IntArray,
    folder: Path,
    advance: Advance = no_progress,
) -> TeacherVectors:
    """The teacher's vectors of the ``texts`` of some ``rows``, from ``folder`` where they are.

    ``identities`` are equal where texts are: pairs with the same text share its vector.
    """
    wanted, first = np.unique(identities[rows], return_index=True)
    if not _is_cached(encoder, wanted, folder):
        vectors = encoder.encode([texts[row] for row in rows[first]], advance)
        with staged_folder(folder) as staged:
            np.save(staged / VECTORS, vectors.astype(np.float16))
            np.save(staged / ROWS, wanted)
            (staged / SIGNATURE).write_text(encoder.signature, encoding="utf-8")
    places = np.full(int(identities.max(initial=-1)) + 1, -1, dtype=np.int64)
    places[wanted] = np.arange(len(wanted))
    return TeacherVectors(places[identities], np.load(folder / VECTORS))


def _is_cached(encoder: SentenceEncoder, wanted: IntArray, folder: Path) -> bool:
    """Whether the folder has this encoder's vectors of these texts."""
    if not (folder / SIGNATURE).is_file():
        return False
    same = (folder / SIGNATURE).read_text(encoding="utf-8") == encoder.signature
    return same and np.array_equal(np.load(folder / ROWS), wanted)
