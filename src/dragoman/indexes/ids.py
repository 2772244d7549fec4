"""Points of the engine -> ids of documents, without reading the documents.

The engine would read a whole document from disk to tell its id, which takes longer than finding
it. The pairs are remembered here, sorted by point in arrays. Nothing depends on them: a point that
is not here is asked of the engine and remembered.
"""

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dragoman.text.files import staged_folder
from dragoman.text.strings import Strings

MERGED_ABOVE = 100_000  # recent pairs kept apart before they join the arrays
POINTS, NAMES = "points.npy", "names"


def point_id(doc_id: str) -> int:
    """The engine's id of a document: 64 bits of its id, the same on every machine.

    Among a million documents two meet with a chance of one in thirty-seven million.
    """
    return int.from_bytes(blake2b(doc_id.encode(), digest_size=8).digest(), "big")


class KnownIds:
    """The document ids of points; what was met lately stands beside the arrays."""

    def __init__(self, points: NDArray[np.uint64], names: Strings) -> None:
        self._points, self._names = points, names  # points rise
        self._recent: dict[int, str] = {}

    @classmethod
    def empty(cls) -> Self:
        """Nothing known yet."""
        return cls(np.zeros(0, dtype=np.uint64), Strings.pack([]))

    def __len__(self) -> int:
        return len(self._points) + len(self._recent)

    def of(self, points: Sequence[int]) -> list[str | None]:
        """The document id of each point; ``None`` where it is not known."""
        if not self._recent:
            return self._settled(points)
        found = [self._recent.get(point) for point in points]
        if None not in found:
            return found
        settled = self._settled(points)
        return [one if one is not None else two for one, two in zip(found, settled, strict=True)]

    def _settled(self, points: Sequence[int]) -> list[str | None]:
        if not len(self._points):
            return [None] * len(points)
        wanted = np.array(points, dtype=np.uint64)
        places = self._points.searchsorted(wanted)
        places[places == len(self._points)] = 0
        here = (self._points[places] == wanted).tolist()
        names = self._names
        return [
            names[place] if is_here else None
            for place, is_here in zip(places.tolist(), here, strict=True)
        ]

    def remember(self, doc_ids: Iterable[str]) -> None:
        """The points of these documents are known from now on."""
        self._recent.update((point_id(doc_id), doc_id) for doc_id in doc_ids)
        if len(self._recent) > MERGED_ABOVE:
            self._merge()

    def _merge(self) -> None:
        settled = zip(self._points.tolist(), self._names, strict=True)
        known = sorted(({**dict(settled), **self._recent}).items())
        self._points = np.array([point for point, _ in known], dtype=np.uint64)
        self._names = Strings.pack([name for _, name in known])
        self._recent.clear()

    def save(self, folder: Path) -> None:
        """Write what is known, if anything is new."""
        if self._recent:
            self._merge()
            with staged_folder(folder) as staged:
                np.save(staged / POINTS, self._points)
                self._names.save(staged, NAMES)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; empty where nothing whole is there."""
        try:
            points = np.load(folder / POINTS, allow_pickle=False)
            names = Strings.load(folder, NAMES)
        except (OSError, ValueError):  # they can be asked for again, one by one
            return cls.empty()
        return cls(points, names) if points.shape == (len(names),) else cls.empty()
