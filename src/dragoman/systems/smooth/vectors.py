"""Document vectors of a collection: searched exactly, on disk or in memory.

Rows stand in the order of the document ids, so equal scores come out in that order.

    vectors.npy      (documents, dimension) float32, memory-mapped
    documents.json   ids and languages
"""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import IndexFault, InputError
from dragoman.protocols import Advance
from dragoman.ranking.topk import top_k
from dragoman.systems.smooth.model import SmoothModel
from dragoman.types import Document, FloatArray, Hit

PORTION = 4096  # documents that are encoded at a time
DECIMALS = 6  # beyond, a product in float32 is the order of its additions


@dataclass(frozen=True)
class DocumentVectors:
    """Documents that have a vector, in the order of their ids."""

    ids: Sequence[str]
    languages: NDArray[np.str_]
    vectors: NDArray[np.float32]

    @classmethod
    def encode(
        cls, documents: Iterable[Document], model: SmoothModel, advance: Advance
    ) -> "DocumentVectors":
        """The vectors of all documents with a known word; an id that comes twice is an error."""
        ids: list[str] = []
        languages: list[str] = []
        parts = [np.zeros((0, model.dimension), dtype=np.float32)]
        stream = iter(documents)
        while portion := list(islice(stream, PORTION)):
            ids += [document.doc_id for document in portion]
            languages += [document.language for document in portion]
            parts.append(model.document_vectors([document.content for document in portion]))
            advance(len(portion))
        _refuse_duplicates(ids)
        vectors = np.concatenate(parts)
        rows = [row for row in sorted(range(len(ids)), key=ids.__getitem__) if vectors[row].any()]
        return cls(
            [ids[row] for row in rows],
            np.array([languages[row] for row in rows], dtype=np.str_),
            vectors[rows],
        )

    def best(
        self, query: FloatArray, k: int, languages: Collection[str] | None = None
    ) -> tuple[Hit, ...]:
        """The ``k`` documents with the highest inner product, best first."""
        if not len(self.ids) or not query.any():
            return ()
        rows = np.arange(len(self.ids))
        if languages is not None:
            rows = np.flatnonzero(np.isin(self.languages, list(languages)))
        scores = rounded(self.vectors @ query)[rows]
        return tuple(
            Hit(self.ids[int(rows[place])], float(scores[place])) for place in top_k(scores, k)
        )

    def save(self, folder: Path) -> None:
        """Write the arrays into ``folder``."""
        np.save(folder / "vectors.npy", self.vectors)
        facts = {"ids": list(self.ids), "languages": self.languages.tolist()}
        (folder / "documents.json").write_text(json.dumps(facts), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "DocumentVectors":
        """What ``save`` wrote; vectors are mapped, not read."""
        try:
            vectors = np.load(folder / "vectors.npy", mmap_mode="r", allow_pickle=False)
            facts = json.loads((folder / "documents.json").read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise IndexFault(
                f"{folder}: found damaged or missing files ({error}); build the index again."
            ) from error
        return cls(facts["ids"], np.array(facts["languages"], dtype=np.str_), vectors)


def rounded(scores: FloatArray) -> FloatArray:
    """Scores to as many digits as they are good for, so that equal texts have equal scores."""
    return np.round(scores, DECIMALS)


def _refuse_duplicates(ids: Sequence[str]) -> None:
    seen: set[str] = set()
    for row, doc_id in enumerate(ids):
        if doc_id in seen:
            raise InputError(
                "documents",
                row + 1,
                found=f"the id {doc_id!r} a second time",
                expected="every id once",
            )
        seen.add(doc_id)
