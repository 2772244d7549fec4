"""Points of the engine -> ids of documents, without reading the documents.

The engine would read a whole document from disk to tell its id, which takes longer than finding
it. The pairs are remembered here, sorted by point in arrays: of a document all points or none. What
is not here is asked of the engine and remembered.
"""

from collections.abc import Collection, Mapping, Sequence
from hashlib import blake2b
from itertools import compress
from pathlib import Path
from typing import Self

import numpy as np
from numpy.typing import NDArray

from dragoman.text.files import staged_folder
from dragoman.text.strings import Strings

MERGED_ABOVE = 100_000  # recent pairs kept apart before they join the arrays
POINTS, OWNERS, NAMES = "points.npy", "owners.npy", "names"


def point_id(doc_id: str, passage: int = 0) -> int:
    """The engine's id of a document, or of a further passage of it, the same on every machine.

    63 bits, which fit where integers have a sign. Among a million points two meet with a chance
    of one in eighteen million.
    """
    salt = passage.to_bytes(16, "big")
    digest = blake2b(doc_id.encode(), digest_size=8, salt=salt).digest()
    return int.from_bytes(digest, "big") >> 1


class KnownIds:
    """The document ids of points; what was met lately stands beside the arrays."""

    def __init__(
        self, points: NDArray[np.uint64], owners: NDArray[np.uint32], names: Strings
    ) -> None:
        self._points, self._owners = points, owners  # points rise; owners are numbers of names
        self._names = names
        self._recent: dict[int, str] = {}

    @classmethod
    def empty(cls) -> Self:
        """Nothing known yet."""
        return cls(np.zeros(0, np.uint64), np.zeros(0, np.uint32), Strings.pack([]))

    def __len__(self) -> int:
        known = self._settled([*self._recent])
        return len(self._points) + known.count(None)

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
        owners, names = self._owners[places].tolist(), self._names
        return [
            names[owner] if is_here else None for owner, is_here in zip(owners, here, strict=True)
        ]

    def points(self, doc_ids: Collection[str]) -> tuple[list[int], list[str]]:
        """All points that the documents have or had, and the documents that are not known."""
        found: list[int] = []
        asked, number, unknown = list(doc_ids), 0, list[str]()
        while asked:
            points = [point_id(doc_id, number) for doc_id in asked]
            here = [name is not None for name in self.of(points)]
            found += compress(points, here)
            if number == 0:
                unknown = [doc_id for doc_id, known in zip(asked, here, strict=True) if not known]
            asked, number = [*compress(asked, here)], number + 1
        return found, unknown

    def remember(self, counts: Mapping[str, int]) -> None:
        """These documents have so many points each; what is known of one is all of it."""
        self._recent.update(
            (point_id(doc_id, number), doc_id)
            for doc_id, count in counts.items()
            for number in range(count)
        )
        if len(self._recent) > MERGED_ABOVE:
            self._merge()

    def _merge(self) -> None:
        settled = self._settled([*self._recent])
        pairs = zip(self._recent.items(), settled, strict=True)
        new = [pair for pair, known in pairs if known is None]
        names = {name: number for number, name in enumerate(dict.fromkeys(n for _, n in new))}
        points = np.array([point for point, _ in new], dtype=np.uint64)
        owners = np.array([names[name] for _, name in new], dtype=np.uint32)
        together = np.concatenate([self._points, points])
        order = together.argsort()
        self._points = together[order]
        self._owners = np.concatenate([self._owners, owners + np.uint32(len(self._names))])[order]
        self._names = _joined(self._names, Strings.pack(names))
        self._recent.clear()

    def save(self, folder: Path) -> None:
        """Write what is known, if anything is new or nothing is there."""
        if self._recent or (len(self._points) and not folder.exists()):
            self._merge()
            with staged_folder(folder) as staged:
                np.save(staged / POINTS, self._points)
                np.save(staged / OWNERS, self._owners)
                self._names.save(staged, NAMES)

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote; empty where nothing whole is there."""
        try:
            points = np.load(folder / POINTS, allow_pickle=False)
            owners = np.load(folder / OWNERS, allow_pickle=False)
            names = Strings.load(folder, NAMES)
        except (OSError, ValueError):  # they can be asked for again, one by one
            return cls.empty()
        whole = points.shape == owners.shape and (not len(owners) or int(owners.max()) < len(names))
        return cls(points, owners, names) if whole else cls.empty()


def _joined(first: Strings, second: Strings) -> Strings:
    offsets = np.concatenate([first.offsets, first.offsets[-1] + second.offsets[1:]])
    return Strings(offsets, np.concatenate([first.content, second.content]))
