"""Counted words of documents that come and go: what weighed bags are made of.

Points are kept once per key, for the keys that documents use.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import numpy as np

from dragoman.text.strings import Strings
from dragoman.types import FloatArray, IntArray
from dragoman.vectors.word_sources import WordSource


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """One document: the rows of its keys, rising, and how often each stands in it."""

    doc_id: str
    language: str
    rows: IntArray
    counts: IntArray


class Vocabulary:
    """The keys in use, numbered as they come, and their points."""

    def __init__(self, source: WordSource) -> None:
        self.source = source
        self.numbers: dict[str, int] = {}
        self._buffer: FloatArray = np.zeros((0, source.dimension), dtype=np.float32)

    @property
    def points(self) -> FloatArray:
        """One row per key."""
        return self._buffer[: len(self.numbers)]

    @property
    def known(self) -> FloatArray:
        """1 for every key with a point; the encoder says nothing of some words, as 0 vectors."""
        known: FloatArray = (self.points != 0).any(axis=1).astype(np.float64)
        return known

    def meet(self, keys: Iterable[str]) -> None:
        """Give a number and a point to every key that is new."""
        fresh = [key for key in dict.fromkeys(keys) if key not in self.numbers]
        if not fresh:
            return
        first, total = len(self.numbers), len(self.numbers) + len(fresh)
        if total > len(self._buffer):
            grown = np.zeros((max(total, 2 * len(self._buffer)), self.source.dimension), np.float32)
            grown[:first] = self.points
            self._buffer = grown
        self._buffer[first:total] = self.source.points(fresh)
        self.numbers.update((key, first + place) for place, key in enumerate(fresh))

    def points_of(self, keys: Sequence[str], rows: IntArray) -> FloatArray:
        """The points of keys with these numbers; those that no document uses are looked up."""
        points = np.empty((len(keys), self.source.dimension), dtype=np.float32)
        met = rows >= 0
        points[met] = self.points[rows[met]]
        unmet = [key for key, row in zip(keys, rows, strict=True) if row < 0]
        points[~met] = self.source.points(unmet)
        return points

    def rows(self, keys: Sequence[str]) -> IntArray:
        """The numbers of keys, -1 for one that no document uses."""
        return np.fromiter((self.numbers.get(key, -1) for key in keys), np.int64, len(keys))

    def words(self, language: str, frequencies: IntArray) -> dict[str, float]:
        """The words of one language that documents use, with their document frequencies."""
        start = f"{language}:"
        return {
            key.removeprefix(start): float(frequencies[number])
            for key, number in self.numbers.items()
            if key.startswith(start) and frequencies[number]
        }

    def save(self, folder: Path) -> None:
        """Write keys and points."""
        Strings.pack(self.numbers).save(folder, "keys")
        np.save(folder / "points.npy", self.points, allow_pickle=False)

    @classmethod
    def load(cls, folder: Path, source: WordSource) -> Self:
        """What ``save`` wrote; points are mapped, not read."""
        loaded = cls(source)
        loaded.numbers = dict(Strings.load(folder, "keys").numbers)
        loaded._buffer = np.load(folder / "points.npy", mmap_mode="r", allow_pickle=False)
        return loaded


class Documents:
    """The documents by id, and what their counts come to together."""

    def __init__(self, documents: Iterable[Counted] = ()) -> None:
        self._documents = {document.doc_id: document for document in documents}

    def __len__(self) -> int:
        return len(self._documents)

    def add(self, document: Counted) -> None:
        """Count a document, in the place of an earlier one of its id."""
        self._documents[document.doc_id] = document

    def remove(self, doc_id: str) -> None:
        """Count a document no longer."""
        self._documents.pop(doc_id, None)

    def in_order(self) -> list[Counted]:
        """The documents by id, so that equal distances stand in the order of the ids."""
        return [self._documents[doc_id] for doc_id in sorted(self._documents)]

    def save(self, folder: Path) -> None:
        """Write ids, languages and counts."""
        documents = self.in_order()
        Strings.pack([d.doc_id for d in documents]).save(folder, "ids")
        Strings.pack([d.language for d in documents]).save(folder, "languages")
        np.save(folder / "starts.npy", starts([d.rows for d in documents]))
        np.save(folder / "rows.npy", joined([d.rows for d in documents], np.int32))
        np.save(folder / "counts.npy", joined([d.counts for d in documents], np.int32))

    @classmethod
    def load(cls, folder: Path) -> Self:
        """What ``save`` wrote."""
        begins, rows, counts = (
            np.load(folder / f"{name}.npy", mmap_mode="r", allow_pickle=False)
            for name in ("starts", "rows", "counts")
        )
        ids, languages = Strings.load(folder, "ids"), Strings.load(folder, "languages")
        spans = zip(ids, languages, begins[:-1].tolist(), begins[1:].tolist(), strict=True)
        return cls(Counted(i, code, rows[a:b], counts[a:b]) for i, code, a, b in spans)


def starts(parts: Sequence[IntArray | FloatArray]) -> IntArray:
    """Where each part begins in their concatenation, and where the last one ends."""
    return np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)


def joined(parts: Sequence[IntArray | FloatArray], kind: type[np.generic]) -> FloatArray:
    """The parts one after another."""
    return np.concatenate([np.zeros(0, kind), *parts]).astype(kind)
