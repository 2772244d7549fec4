"""A collection as one row of numbers per document: who is searched, who is best, on disk or not.

Rows stand in the order of the document ids, so equal scores come out in that order. What a row
means and how it is scored is the system's; documents that have no row cannot be found.

    rows.npy                    (documents, columns) float32, memory-mapped
    ids.*.npy  languages.*.npy  by row
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import IndexFault, InputError
from dragoman.ranking.topk import top_k
from dragoman.scores.by_row import products
from dragoman.text.strings import Strings
from dragoman.types import FloatArray, Hit, IntArray

DECIMALS = 6  # beyond, a score from float32 rows is noise


@dataclass(frozen=True, eq=False)
class DocumentRows:
    """Ids, languages and rows of the documents that can be found."""

    ids: Strings
    languages: Strings
    rows: NDArray[np.float32]

    @classmethod
    def arranged(
        cls, ids: Sequence[str], languages: Sequence[str], rows: Sequence[FloatArray | None]
    ) -> "DocumentRows":
        """The documents by id, those without a row left out; an id that comes twice is an error."""
        order = sorted(range(len(ids)), key=ids.__getitem__)
        for place, following in pairwise(order):
            if ids[place] == ids[following]:
                raise InputError(
                    "documents",
                    following + 1,
                    found=f"the id {ids[place]!r} a second time",
                    expected="every id once",
                )
        kept = [(place, row) for place in order if (row := rows[place]) is not None]
        table = np.array([row for _, row in kept], dtype=np.float32)
        return cls(
            Strings.pack(ids[place] for place, _ in kept),
            Strings.pack(languages[place] for place, _ in kept),
            table if kept else np.zeros((0, 0), dtype=np.float32),
        )

    def __len__(self) -> int:
        return len(self.ids)

    @cached_property
    def _languages(self) -> NDArray[np.str_]:
        return np.array(list(self.languages), dtype=np.str_)

    def chosen(self, languages: Collection[str] | None = None) -> IntArray:
        """The rows of documents in ``languages``, rising; all where no language is named."""
        if languages is None:
            return np.arange(len(self), dtype=np.int64)
        return np.flatnonzero(np.isin(self._languages, list(languages))).astype(np.int64)

    def found_in(self, languages: Collection[str] | None = None) -> tuple[str, ...]:
        """The languages that documents are in, sorted; of ``languages`` where given."""
        present: list[str] = np.unique(self._languages).tolist()
        return tuple(code for code in present if languages is None or code in languages)

    def by_language(self, rows: IntArray) -> dict[str, IntArray]:
        """The places in ``rows`` of the documents in each language."""
        codes = self._languages[rows]
        return {str(code): np.flatnonzero(codes == code) for code in np.unique(codes)}

    def best(
        self,
        score: Callable[[IntArray], FloatArray],
        k: int,
        languages: Collection[str] | None = None,
    ) -> tuple[Hit, ...]:
        """The ``k`` best documents, best first; ``score`` gives one number per row it is given."""
        rows = self.chosen(languages)
        if not len(rows):
            return ()
        scores = rounded(score(rows))
        places = top_k(scores, k)
        return tuple(Hit(self.ids[int(rows[place])], float(scores[place])) for place in places)

    def nearest(
        self, vector: FloatArray, k: int, languages: Collection[str] | None = None
    ) -> tuple[Hit, ...]:
        """The ``k`` documents whose rows have the highest product with ``vector``, if it is any."""
        if not vector.any():
            return ()
        asked = vector.astype(np.float64)
        return self.best(lambda chosen: products(self.rows, chosen, asked), k, languages)

    def save(self, folder: Path) -> None:
        """Write the arrays into ``folder``."""
        np.save(folder / "rows.npy", self.rows, allow_pickle=False)
        self.ids.save(folder, "ids")
        self.languages.save(folder, "languages")

    @classmethod
    def load(cls, folder: Path) -> "DocumentRows":
        """What ``save`` wrote; rows are mapped, not read."""
        try:
            rows = np.load(folder / "rows.npy", mmap_mode="r", allow_pickle=False)
            return cls(Strings.load(folder, "ids"), Strings.load(folder, "languages"), rows)
        except (OSError, ValueError) as error:
            raise IndexFault(
                f"{folder}: found damaged or missing files ({error}); build the index again."
            ) from error


def compared(vector: FloatArray, others: Sequence[FloatArray]) -> FloatArray:
    """The product of a vector with each of the others, as ``DocumentRows.nearest`` scores them."""
    if not others:
        return np.zeros(0)
    rows = np.array(others, dtype=np.float32)
    return rounded(products(rows, np.arange(len(rows)), vector.astype(np.float64)))


def rounded(scores: FloatArray) -> FloatArray:
    """Scores to as many digits as they are good for; zero has no sign."""
    return np.round(scores, DECIMALS) + 0.0
