"""Sentence pairs -> the sparse table of word pairs that co-occur, and each pair's slot in it.

EM visits every word pair of every sentence pair once per iteration. Its *slot*, the pair's position
in the sparse table, is computed here once, by walking the sentences of one source word after
another; the slots are in a memory-mapped file, so that memory holds the table and not the corpus.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np
from numpy.typing import NDArray

from dragoman.lexicons.alignment.packed_bitext import PackedBitext, PackedTexts
from dragoman.types import IntArray

DROPPED = -1  # the slot of a pair that was pruned from the table
# Work is cut into this many parts, whatever the number of threads: sums are taken in this order,
# so that results do not depend on the number of cores.
LANES = 4
CHUNK = 1 << 18  # sentence pairs that are indexed at a time


@dataclass(frozen=True)
class Cooccurrence:
    """Word pairs, sorted by source and target word, and the slots of each sentence's pairs.

    ``slots[blocks[n] + i * J + j]`` is the slot of source word i and target word j of sentence
    pair n, whose target side has J words.
    """

    starts: IntArray  # (source words + 1,): where a source word's pairs begin
    columns: IntArray  # (pairs,): their target words
    slots: IntArray
    blocks: IntArray  # (sentence pairs + 1,)

    @property
    def size(self) -> int:
        """The number of word pairs."""
        return len(self.columns)

    def lanes(self) -> IntArray:
        """Where each of the ``LANES`` parts of the sentence pairs begins, equal in work."""
        wanted = np.arange(LANES + 1) * (self.blocks[-1] / LANES)
        bounds: IntArray = np.searchsorted(self.blocks, wanted)
        bounds[0], bounds[-1] = 0, len(self.blocks) - 1
        return bounds

    def filtered(self, mask: NDArray[np.bool_]) -> "Cooccurrence":
        """The table of the pairs in ``mask``; the slots of others become ``DROPPED``, in place."""
        new_slots = np.where(mask, np.cumsum(mask) - 1, DROPPED).astype(np.int32)
        _renumber(self.slots, new_slots)
        running = np.concatenate(([0], np.cumsum(mask)))
        return Cooccurrence(running[self.starts], self.columns[mask], self.slots, self.blocks)


def cooccurrence(bitext: PackedBitext, folder: Path, workers: int) -> Cooccurrence:
    """The table of ``bitext``; the slots are in ``folder``, which must outlive the result."""
    texts, sizes = bitext.texts, (len(bitext.source_words), len(bitext.target_words))
    lengths = np.diff(texts.source_starts) * np.diff(texts.target_starts)
    blocks = np.concatenate(([0], np.cumsum(lengths)))
    slots: IntArray = np.lib.format.open_memmap(
        folder / "slots.npy", mode="w+", dtype=np.int32, shape=(int(blocks[-1]),)
    )
    parts = max(LANES, -(-len(bitext) // CHUNK))
    bounds = np.arange(parts + 1) * len(bitext) // parts

    def find_pairs(part: int) -> IntArray:
        return _distinct_pairs(bounds[part], bounds[part + 1], texts, sizes)

    def fill(part: int) -> None:
        _fill_slots(bounds[part], bounds[part + 1], texts, sizes, starts, columns, blocks, slots)

    with ThreadPoolExecutor(workers) as pool:
        keys: IntArray = np.empty(0, dtype=np.int64)
        for part_keys in pool.map(find_pairs, range(parts)):
            keys = _union(keys, part_keys)
        starts = np.searchsorted(keys, np.arange(sizes[0] + 1, dtype=np.int64) * sizes[1])
        columns = (keys % sizes[1]).astype(np.int32)
        del keys
        list(pool.map(fill, range(parts)))
    return Cooccurrence(starts, columns, slots, blocks)


@numba.njit(nogil=True, cache=True)
def _union(left: IntArray, right: IntArray) -> IntArray:
    """Two sorted arrays as one, each value once."""
    merged = np.empty(len(left) + len(right), dtype=np.int64)
    i = j = n = 0
    while i < len(left) or j < len(right):
        if j == len(right) or (i < len(left) and left[i] <= right[j]):
            value = left[i]
            if j < len(right) and right[j] == value:
                j += 1
            i += 1
        else:
            value = right[j]
            j += 1
        merged[n] = value
        n += 1
    return merged[:n].copy()


@numba.njit(nogil=True, cache=True)
def _occurrences(
    first: int, last: int, text: IntArray, starts: IntArray, size: int
) -> tuple[IntArray, IntArray, IntArray]:
    """The occurrences of each word in sentences ``first`` to ``last``, grouped by word.

    Returns where each word's occurrences begin, their sentences and their positions in these.
    """
    word_starts = np.zeros(size + 1, dtype=np.int64)
    for offset in range(starts[first], starts[last]):
        word_starts[text[offset] + 1] += 1
    word_starts = np.cumsum(word_starts)
    free = word_starts[:-1].copy()
    sentences = np.empty(word_starts[-1], dtype=np.int32)
    positions = np.empty(word_starts[-1], dtype=np.int32)
    for sentence in range(first, last):
        for offset in range(starts[sentence], starts[sentence + 1]):
            word = text[offset]
            sentences[free[word]] = sentence
            positions[free[word]] = offset - starts[sentence]
            free[word] += 1
    return word_starts, sentences, positions


@numba.njit(nogil=True, cache=True)
def _distinct_pairs(first: int, last: int, texts: PackedTexts, sizes: tuple[int, int]) -> IntArray:
    """``s * target_size + t`` for every pair of words that co-occur, ascending, each once."""
    source_size, target_size = sizes
    starts, sentences, _ = _occurrences(first, last, texts.source, texts.source_starts, source_size)
    last_seen_with = np.full(target_size, -1, dtype=np.int32)
    row = np.empty(target_size, dtype=np.int64)
    keys = np.empty(1 << 16, dtype=np.int64)
    size = 0
    for word in range(source_size):
        length = 0
        for occurrence in range(starts[word], starts[word + 1]):
            sentence = sentences[occurrence]
            for other in range(texts.target_starts[sentence], texts.target_starts[sentence + 1]):
                translation = texts.target[other]
                if last_seen_with[translation] != word:
                    last_seen_with[translation] = word
                    row[length] = translation
                    length += 1
        if size + length > len(keys):
            grown = np.empty(max(2 * len(keys), size + length), dtype=np.int64)
            grown[:size] = keys[:size]
            keys = grown
        keys[size : size + length] = np.sort(row[:length]) + np.int64(word) * target_size
        size += length
    return keys[:size].copy()


@numba.njit(nogil=True, cache=True)
def _fill_slots(
    first: int,
    last: int,
    texts: PackedTexts,
    sizes: tuple[int, int],
    row_starts: IntArray,
    columns: IntArray,
    blocks: IntArray,
    slots: IntArray,
) -> None:
    source_size, target_size = sizes
    starts, sentences, positions = _occurrences(
        first, last, texts.source, texts.source_starts, source_size
    )
    slot_of = np.empty(target_size, dtype=np.int32)
    for word in range(source_size):
        if starts[word] == starts[word + 1]:
            continue
        for slot in range(row_starts[word], row_starts[word + 1]):
            slot_of[columns[slot]] = slot
        for occurrence in range(starts[word], starts[word + 1]):
            sentence = sentences[occurrence]
            begin = texts.target_starts[sentence]
            length = texts.target_starts[sentence + 1] - begin
            block = blocks[sentence] + positions[occurrence] * length
            for j in range(length):
                slots[block + j] = slot_of[texts.target[begin + j]]


@numba.njit(nogil=True, cache=True)
def _renumber(slots: IntArray, new_slots: IntArray) -> None:
    for n in range(len(slots)):
        if slots[n] != DROPPED:
            slots[n] = new_slots[slots[n]]
