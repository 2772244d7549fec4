"""Sound indexes of several vocabularies -> the arrays of one, a range of words at a time.

The result is what ``sound_arrays`` makes of all words together. No word is transliterated again,
and memory grows by about 60 bytes a word, not with the arrays.
"""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.storage.gathering import Gathering, even_cuts, ranges_between
from dragoman.storage.packed_strings import PackedStrings
from dragoman.types import IntArray

MERGED_AT_ONCE = 1 << 16  # words sorted together
BLOCKS_AT_ONCE = 1 << 19  # blocks of sounds sorted together
ABSENT = -1  # the new row of a word that another vocabulary brings

Arrays = Mapping[str, NDArray[Any]]
NamedChunks = tuple[str, np.dtype[Any], Iterable[NDArray[Any]]]


def merged_sound_arrays(parts: Sequence[Arrays]) -> Iterator[NamedChunks]:
    """Names, types and contents of the arrays, in the order of ``sound_arrays``."""
    owners, rows = _order(parts)

    def whole(name: str) -> list[NDArray[Any]]:
        return [mine[name] for mine in parts]

    def chunks(name: str, values: Iterable[NDArray[Any]]) -> NamedChunks:
        return name, parts[0][name].dtype, values

    words = Gathering.of(owners, rows, whole("offsets"))
    yield chunks("offsets", [words.starts])
    yield chunks("content", words.copies(whole("content")))
    letters = Gathering.of(owners, rows, whole("starts"))
    alphabet = np.unique(np.concatenate(whole("alphabet")))
    places = [np.searchsorted(alphabet, mine) for mine in whole("alphabet")]
    yield chunks("letters", letters.copies(whole("letters"), renumbered=places))
    yield chunks("starts", [letters.starts])
    single = Gathering(owners, rows, np.ones(len(rows), np.int64))
    yield chunks("keys", single.copies(whole("keys")))
    yield chunks("vowelless", _vowelless(parts, single))
    yield chunks("alphabet", [alphabet])
    new_rows = [_new_rows(owners, rows, owner, mine) for owner, mine in enumerate(parts)]
    yield chunks("hashes", (hashes for hashes, _ in _blocks(parts, new_rows)))
    yield chunks("places", (places for _, places in _blocks(parts, new_rows)))


def _vowelless(parts: Sequence[Arrays], words: Gathering) -> Iterator[NDArray[np.bool_]]:
    """Flags of words; nothing where none is flagged."""
    if any(len(mine["vowelless"]) for mine in parts):
        unflagged = (np.zeros(len(mine["keys"]), np.bool_) for mine in parts)
        flags = [mine["vowelless"] for mine in parts]
        yield from words.copies(
            [mine if len(mine) else none for mine, none in zip(flags, unflagged, strict=True)]
        )


def _order(parts: Sequence[Arrays]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Where each distinct word is, by sound key and word: the vocabulary and the row in it."""
    owners, rows = array("i"), array("q")
    words = [PackedStrings(mine["offsets"], mine["content"]) for mine in parts]
    for bounds in _ranges([mine["keys"] for mine in parts], MERGED_AT_ONCE):
        entries = sorted(
            (key, words[owner][row], owner, row)
            for owner, (first, last) in enumerate(bounds)
            for row, key in enumerate(parts[owner]["keys"][first:last].tolist(), first)
        )
        before = None
        for _, word, owner, row in entries:
            if word != before:
                owners.append(owner)
                rows.append(row)
            before = word
    return np.frombuffer(owners, np.int32), np.frombuffer(rows, np.int64)


def _ranges(keys: Sequence[IntArray], at_once: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """Ranges of sorted arrays that belong together, about ``at_once`` entries at a time."""
    step = max(1, at_once // len(keys))
    cuts = even_cuts([mine[::step] for mine in keys])
    yield from zip(*(ranges_between(mine, cuts) for mine in keys), strict=True)


def _new_rows(owners: IntArray, rows: IntArray, owner: int, mine: Arrays) -> NDArray[np.int32]:
    """The new row of each word of a vocabulary; ``ABSENT`` where another one brings the word."""
    chosen = np.flatnonzero(owners == owner)
    new = np.full(len(mine["keys"]), ABSENT, np.int32)
    new[rows[chosen]] = chosen
    return new


def _blocks(
    parts: Sequence[Arrays], new_rows: Sequence[IntArray]
) -> Iterator[tuple[IntArray, IntArray]]:
    """Hashes of blocks, rising, and the rows of their words."""
    for bounds in _ranges([mine["hashes"] for mine in parts], BLOCKS_AT_ONCE):
        found = []
        for mine, new, (first, last) in zip(parts, new_rows, bounds, strict=True):
            rows = new[mine["places"][first:last]]
            found.append((mine["hashes"][first:last][rows != ABSENT], rows[rows != ABSENT]))
        hashes, rows = map(np.concatenate, zip(*found, strict=True))
        order = np.lexsort((rows, hashes))
        yield hashes[order], rows[order]
