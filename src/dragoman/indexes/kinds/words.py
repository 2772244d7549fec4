"""The distinct words of documents, by language, looked up by their sound (``lexicons.sounds``).

    LANGUAGE.*         the arrays of a sound index

Words of deleted documents stay until nothing of the segment is left; a caller checks
its document frequency, which counts live documents alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from dragoman.indexes.kinds.layout import MergeOrder, Packed, Spans
from dragoman.indexes.spaces import Space
from dragoman.lexicons.sounds.neighbours import Neighbour
from dragoman.lexicons.sounds.sound_index import SoundIndex, sound_arrays
from dragoman.lexicons.sounds.sound_merging import merged_sound_arrays
from dragoman.storage.array_file import Array, ArrayFileWriter, Arrays
from dragoman.storage.packed_strings import PackedStrings

UNNAMED = "und"  # stands for an empty language code in names of arrays


def pack(vector: Sequence[str]) -> dict[str, Array]:
    """One document."""
    packed = PackedStrings.pack(vector)
    return {"offsets": packed.offsets, "content": packed.content}


def build(documents: Sequence[Packed], spans: Spans) -> dict[str, Array]:
    """The words of documents, in their order."""
    arrays: dict[str, Array] = {}
    for language, (first, last) in spans.items():
        listed = [
            PackedStrings(one["offsets"], one["content"]) for one in documents[first:last] if one
        ]
        arrays |= _named(language, {word for words in listed for word in words})
    return arrays


def _named(language: str, words: set[str]) -> dict[str, Array]:
    return {f"{language or UNNAMED}.{name}": a for name, a in sound_arrays(words).items()}


def merge(order: MergeOrder, space: Space, writer: ArrayFileWriter) -> None:
    """Write the words of several segments as one."""
    parts = [WordIndex(arrays, space.name) for arrays in order.segments]
    for language in sorted({code for mine in parts for code in mine.languages}):
        indexes = [mine.arrays_of(language) for mine in parts if language in mine.languages]
        for name, kind, chunks in merged_sound_arrays(indexes):
            writer.stream(f"{space.name}.{language or UNNAMED}.{name}", kind, (), chunks)


@dataclass(frozen=True)
class WordIndex:
    """The words of one segment."""

    arrays: Arrays
    name: str
    _known: dict[str, SoundIndex] = field(default_factory=dict)

    @cached_property
    def languages(self) -> frozenset[str]:
        """The languages that there are words of."""
        start, end = f"{self.name}.", ".offsets"
        names = (n for n in self.arrays.arrays if n.startswith(start) and n.endswith(end))
        codes = (name.removeprefix(start).removesuffix(end) for name in names)
        return frozenset("" if code == UNNAMED else code for code in codes)

    def words(self, language: str) -> Sequence[str]:
        """All words of a language."""
        return list(self._index(language).words) if language in self.languages else []

    def same_names(self, word: str, language: str) -> list[Neighbour]:
        """The words of a language that may be the same name, most alike first."""
        return self._index(language).same_names(word) if language in self.languages else []

    def _index(self, language: str) -> SoundIndex:
        index = self._known.get(language)
        if index is None:
            index = self._known.setdefault(language, SoundIndex(self.arrays_of(language)))
        return index

    def arrays_of(self, language: str) -> dict[str, Array]:
        """The arrays of a language's sound index."""
        start = f"{self.name}.{language or UNNAMED}."
        names = [name for name in self.arrays.arrays if name.startswith(start)]
        return {name.removeprefix(start): self.arrays.read(name) for name in names}
