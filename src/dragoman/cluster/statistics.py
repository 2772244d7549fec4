"""What depends on all documents of a cluster: counts that searches need and Qdrant cannot give.

Statistics are immutable layers, summed as a folder sums over its segments: a base, and one delta
for each batch of changes. A delta is computed once, before its batch is written, and is stored
under the number of the batch, so that a repeated write changes nothing.
"""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save

from dragoman.cluster.points import StoredDocument
from dragoman.indexes.fields import field_values
from dragoman.indexes.spaces import Space, SpaceKind
from dragoman.lexicons.sounds.neighbours import Neighbour
from dragoman.lexicons.sounds.sound_index import SoundIndex, sound_arrays
from dragoman.storage.database import decode_text
from dragoman.storage.packed_strings import PackedStrings
from dragoman.types import IntArray


@dataclass(frozen=True)
class Layer:
    """Sums over some documents; a delta may hold negative ones."""

    counts: Mapping[str, int] = field(default_factory=dict)  # documents by language
    lengths: Mapping[str, Mapping[str, tuple[int, int]]] = field(default_factory=dict)
    dimensions: Mapping[str, tuple[NDArray[np.uint32], NDArray[np.int64]]] = field(
        default_factory=dict
    )  # by space: dimensions, rising, and in how many documents each is
    words: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    fields: Mapping[str, int] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of_change(
        cls,
        added: Sequence[StoredDocument],
        removed: Sequence[StoredDocument],
        spaces: Sequence[Space],
        facts: Mapping[str, str],
    ) -> Self:
        """What changes where documents are added and others removed."""
        signed = [(1, one) for one in added] + [(-1, one) for one in removed]
        counts, fields = Counter[str](), Counter[str]()
        for sign, one in signed:
            counts[one.document.language] += sign
            for name in {decode_text(name) for name, _, _ in field_values(one.document.metadata)}:
                fields[name] += sign
        of_counts = [space.name for space in spaces if space.kind is SpaceKind.COUNTS]
        of_words = [space.name for space in spaces if space.kind is SpaceKind.WORDS]
        return cls(
            {code: n for code, n in counts.items() if n},
            {space: _lengths(signed, space) for space in of_counts},
            {space: _dimensions(signed, space) for space in of_counts},
            {space: _words(added, space) for space in of_words},
            {name: n for name, n in fields.items() if n},
            facts,
        )

    @classmethod
    def sum(cls, layers: Sequence["Layer"]) -> Self:
        """Several layers as one; later facts replace earlier ones."""
        counts, fields, facts = Counter[str](), Counter[str](), dict[str, str]()
        lengths: dict[str, dict[str, tuple[int, int]]] = {}
        words: dict[str, dict[str, set[str]]] = {}
        for layer in layers:
            counts.update(layer.counts)
            fields.update(layer.fields)
            facts.update(layer.facts)
            for space, by_language in layer.lengths.items():
                mine = lengths.setdefault(space, {})
                for code, (total, filled) in by_language.items():
                    before = mine.get(code, (0, 0))
                    mine[code] = before[0] + total, before[1] + filled
            for space, listed in layer.words.items():
                for code, some in listed.items():
                    words.setdefault(space, {}).setdefault(code, set()).update(some)
        spaces = dict.fromkeys(space for layer in layers for space in layer.dimensions)
        parts = {s: [one.dimensions[s] for one in layers if s in one.dimensions] for s in spaces}
        return cls(
            {code: n for code, n in counts.items() if n},
            lengths,
            {space: _summed(mine) for space, mine in parts.items()},
            {s: {c: tuple(sorted(w)) for c, w in mine.items()} for s, mine in words.items()},
            {name: n for name, n in fields.items() if n},
            facts,
        )

    def to_bytes(self) -> bytes:
        """The layer as bytes."""
        arrays: dict[str, NDArray[Any]] = {}
        for space, (dimensions, frequencies) in self.dimensions.items():
            arrays[f"dimensions/{space}"] = dimensions
            arrays[f"frequencies/{space}"] = frequencies
        for space, by_language in self.words.items():
            for code, words in by_language.items():
                packed = PackedStrings.pack(words)
                arrays[f"offsets/{space}/{code}"] = np.asarray(packed.offsets)
                arrays[f"content/{space}/{code}"] = np.asarray(packed.content)
        facts = [self.counts, self.lengths, self.fields, self.facts]
        arrays["facts"] = np.frombuffer(json.dumps(facts).encode(), np.uint8)
        return save(arrays)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The layer that ``to_bytes`` wrote."""
        arrays = load(data)
        counts, lengths, fields, facts = json.loads(arrays["facts"].tobytes())
        dimensions: dict[str, tuple[Any, Any]] = {}
        words: dict[str, dict[str, tuple[str, ...]]] = {}
        for name, array in arrays.items():
            kind, _, rest = name.partition("/")
            if kind == "dimensions":
                dimensions[rest] = array, arrays[f"frequencies/{rest}"]
            elif kind == "offsets":
                space, _, code = rest.partition("/")
                packed = PackedStrings(array, arrays[f"content/{rest}"])
                words.setdefault(space, {})[code] = tuple(packed)
        pairs = {s: {c: (t, f) for c, (t, f) in mine.items()} for s, mine in lengths.items()}
        return cls(counts, pairs, dimensions, words, fields, facts)

    def frequencies(self, space: str, wanted: IntArray) -> NDArray[np.int64]:
        """In how many documents each dimension is."""
        dimensions, frequencies = self.dimensions.get(space, _NONE)
        if not len(dimensions):
            return np.zeros(len(wanted), np.int64)
        places = np.minimum(np.searchsorted(dimensions, wanted), len(dimensions) - 1)
        return np.where(dimensions[places] == wanted, frequencies[places], 0)

    @cached_property
    def _sounds(self) -> dict[tuple[str, str], SoundIndex]:
        return {}

    def same_names(self, space: str, word: str, language: str) -> list[Neighbour]:
        """The words that may be the same name."""
        words = self.words.get(space, {}).get(language)
        if not words:
            return []
        index = self._sounds.get((space, language))
        if index is None:
            made = SoundIndex(sound_arrays(words))
            index = self._sounds.setdefault((space, language), made)
        return index.same_names(word)


_NONE = np.zeros(0, np.uint32), np.zeros(0, np.int64)

Signed = Sequence[tuple[int, StoredDocument]]


def _lengths(signed: Signed, space: str) -> dict[str, tuple[int, int]]:
    sums: dict[str, tuple[int, int]] = {}
    for sign, one in signed:
        packed = one.vectors.get(space)
        length = int(packed["length"][0]) if packed else 0
        total, filled = sums.get(one.document.language, (0, 0))
        sums[one.document.language] = total + sign * length, filled + sign * (length > 0)
    return sums


def _dimensions(signed: Signed, space: str) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    listed = [
        (packed["dimensions"], np.full(len(packed["dimensions"]), sign, np.int64))
        for sign, one in signed
        if (packed := one.vectors.get(space))
    ]
    return _summed(listed)


def _summed(
    parts: Iterable[tuple[NDArray[np.uint32], NDArray[np.int64]]],
) -> tuple[NDArray[np.uint32], NDArray[np.int64]]:
    dimensions, counts = map(np.concatenate, zip(_NONE, *parts, strict=True))
    unique, inverse = np.unique(dimensions, return_inverse=True)
    sums = np.zeros(len(unique), np.int64)
    np.add.at(sums, inverse, counts)
    changed = sums != 0
    return unique[changed].astype(np.uint32), sums[changed]


def _words(added: Sequence[StoredDocument], space: str) -> dict[str, tuple[str, ...]]:
    """The words of added documents; those of removed ones stay, as in a folder's segments."""
    words: dict[str, set[str]] = {}
    for one in added:
        if packed := one.vectors.get(space):
            listed = PackedStrings(packed["offsets"], packed["content"])
            words.setdefault(one.document.language, set()).update(listed)
    return {code: tuple(sorted(mine)) for code, mine in words.items()}


@dataclass(frozen=True)
class Statistics:
    """One generation: the layers up to a batch."""

    batch: int
    layers: tuple[Layer, ...]

    @cached_property
    def languages(self) -> dict[str, int]:
        """The number of documents by language."""
        sums = Counter[str]()
        for layer in self.layers:
            sums.update(layer.counts)
        return {code: sums[code] for code in sorted(sums) if sums[code] > 0}

    def mean_lengths(self, space: str) -> dict[str, float]:
        """The mean length of the documents of each language, of those that have any word."""
        totals, filled = Counter[str](), Counter[str]()
        for layer in self.layers:
            for code, (total, some) in layer.lengths.get(space, {}).items():
                totals[code] += total
                filled[code] += some
        return {code: totals[code] / filled[code] for code in totals if filled[code] > 0}

    def frequencies(self, space: str, wanted: IntArray) -> NDArray[np.int64]:
        """In how many documents each dimension is."""
        sums = np.zeros(len(wanted), np.int64)
        for layer in self.layers:
            sums += layer.frequencies(space, wanted)
        return sums

    def same_names(self, space: str, word: str, language: str) -> list[Neighbour]:
        """The words that may be the same name, most alike first."""
        similarity: dict[str, float] = {}
        for layer in self.layers:
            similarity.update(layer.same_names(space, word, language))
        return sorted(similarity.items(), key=lambda neighbour: (-neighbour[1], neighbour[0]))

    @cached_property
    def fields(self) -> list[str]:
        """The names of metadata fields."""
        sums = Counter[str]()
        for layer in self.layers:
            sums.update(layer.fields)
        return sorted(name for name, count in sums.items() if count > 0)

    @cached_property
    def facts(self) -> dict[str, str]:
        """What was recorded with the documents."""
        facts: dict[str, str] = {}
        for layer in self.layers:
            facts.update(layer.facts)
        return facts
