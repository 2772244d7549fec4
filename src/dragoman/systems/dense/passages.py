"""Passage vectors of many documents: searched exactly, language by language, on disk or in memory.

Passages stand together by language, then by document in the order of their ids. A search in some
languages reads their rows alone, a document's passages are neighbours, and ties break by id.

    vectors.npy     (passages, dimension) float32, memory-mapped
    documents.npy   (documents + 1,) where each document's passages start
    numbers.npy     (documents,) the place of each document among all ids sorted
    ids.content.npy ids.offsets.npy   all ids sorted
"""

import json
from bisect import bisect_left
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import IndexFault
from dragoman.ranking.topk import top_k
from dragoman.text.strings import Strings
from dragoman.types import FloatArray, Hit

LANGUAGES = "languages.json"
BLOCK = 1 << 16  # rows that are multiplied at a time: 128 MB of 512 dimensions
DECIMALS = 6  # beyond, a cosine in float32 is the order of its additions


@dataclass(frozen=True)
class PassageVectors:
    """All passages of a collection."""

    vectors: NDArray[np.float32]
    starts: NDArray[np.int64]
    numbers: NDArray[np.int64]
    ids: Strings
    languages: Mapping[str, tuple[int, int]]  # code -> its first document and the one after

    def best(
        self, query: FloatArray, k: int, languages: Collection[str] | None = None
    ) -> tuple[Hit, ...]:
        """The ``k`` documents whose best passage is nearest to ``query``, best first."""
        chosen = self.languages if languages is None else languages
        spans = [self.languages[code] for code in chosen if code in self.languages]
        if not spans or not query.any():
            return ()
        scores = np.concatenate([self._scores(query, first, last) for first, last in spans])
        numbers = np.concatenate([self.numbers[first:last] for first, last in spans])
        rows = top_k(scores, k, numbers)
        return tuple(Hit(self.ids[int(numbers[row])], float(scores[row])) for row in rows)

    def _scores(self, query: FloatArray, first: int, last: int) -> FloatArray:
        """The score of every document from ``first`` to before ``last``: its best passage's."""
        low, high = int(self.starts[first]), int(self.starts[last])
        products = np.empty(high - low, dtype=np.float32)
        for start in range(low, high, BLOCK):
            stop = min(start + BLOCK, high)
            np.matmul(self.vectors[start:stop], query, out=products[start - low : stop - low])
        best: FloatArray = np.maximum.reduceat(products, self.starts[first:last] - low)
        return rounded(best)

    def of_document(self, doc_id: str) -> NDArray[np.float32] | None:
        """The vectors of a document's passages in the order of the text; None if it has none."""
        number = bisect_left(self.ids, doc_id)
        if number == len(self.ids) or self.ids[number] != doc_id:
            return None
        place = int(self._places[number])
        if place < 0:
            return None
        return np.asarray(self.vectors[self.starts[place] : self.starts[place + 1]])

    @cached_property
    def _places(self) -> NDArray[np.int64]:
        """Where the document of each number stands; -1 for one without a passage."""
        places = np.full(len(self.ids), -1, dtype=np.int64)
        places[self.numbers] = np.arange(len(self.numbers))
        return places

    def save(self, folder: Path) -> None:
        """Write the arrays into an empty ``folder``."""
        whole = np.lib.format.open_memmap(
            folder / "vectors.npy", mode="w+", dtype=np.float32, shape=self.vectors.shape
        )
        for start in range(0, len(self.vectors), BLOCK):
            whole[start : start + BLOCK] = self.vectors[start : start + BLOCK]
        whole.flush()
        np.save(folder / "documents.npy", self.starts)
        np.save(folder / "numbers.npy", self.numbers)
        self.ids.save(folder, "ids")
        (folder / LANGUAGES).write_text(json.dumps(self.languages), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> "PassageVectors":
        """What ``save`` wrote; arrays are mapped, not read."""
        try:
            arrays = [
                np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
                for name in ("vectors", "documents", "numbers")
            ]
            ids = Strings.load(folder, "ids")
            spans = json.loads((folder / LANGUAGES).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise IndexFault(
                f"{folder}: found damaged or missing files ({error}); build the index again."
            ) from error
        vectors, starts, numbers = arrays
        languages = {code: (first, last) for code, (first, last) in spans.items()}
        return cls(vectors, starts, numbers, ids, languages)


def rounded(scores: FloatArray) -> FloatArray:
    """Cosines to as many digits as they are good for, so that equal texts have equal scores."""
    return np.round(scores, DECIMALS)
