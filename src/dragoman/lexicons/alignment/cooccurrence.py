"""Sentence pairs -> the table of word pairs that meet in one, and each pair's place in it.

EM reads every word pair of every sentence pair once an iteration. Its *slot*, the pair's place in
the sparse table, is found here once, by walking the sentences of one source word after another;
the slots go to a memory-mapped file, so that memory holds the table and not the corpus.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numba
import numpy as np
from numpy.typing import NDArray

from dragoman.lexicons.alignment.packed_bitext import PackedBitext
from dragoman.types import IntArray

DROPPED = -1  # the slot of a pair that pruning has taken out of the table
# Work is cut into this many parts whatever the number of threads: sums are taken in this order,
# so that results do not depend on the machine's cores.
LANES = 4
CHUNK = 1 << 18  # sentence pairs that are indexed at a time


@dataclass(frozen=True)
class Cooccurrence:
    """Word pairs, sorted by source and target word, and where each sentence's pairs stand there.

    ``slots[blocks[n] + i * J + j]`` is the place of source word i and target word j of sentence
    pair n, whose target side has J words.
    """

    starts: IntArray  # (source words + 1,): where a source word's pairs begin
    columns: IntArray  # (pairs,): their target words
    slots: IntArray
    blocks: IntArray  # (sentence pairs + 1,)

    @property
    def size(self) -> int:
        """How many word pairs there are."""
        return len(self.columns)

    def lanes(self) -> IntArray:
        """Where each of the ``LANES`` parts of the sentence pairs begins, equal in work."""
        wanted = np.arange(LANES + 1) * (self.blocks[-1] / LANES)
        bounds: IntArray = np.searchsorted(self.blocks, wanted)
        bounds[0], bounds[-1] = 0, len(self.blocks) - 1
        return bounds

    def filtered(self, mask: NDArray[np.bool_]) -> "Cooccurrence":
        """The table of the pairs that ``mask`` names; other slots become ``DROPPED``."""
        places = np.where(mask, np.cumsum(mask) - 1, DROPPED).astype(np.int32)
        _renumber(self.slots, places)
        running = np.concatenate(([0], np.cumsum(mask)))
        return Cooccurrence(running[self.starts], self.columns[mask], self.slots, self.blocks)


def cooccurrence(bitext: PackedBitext, folder: Path, workers: int) -> Cooccurrence:
    """The table of ``bitext``; slots are kept in ``folder``, which must outlive the result."""
    lengths = np.diff(bitext.source_starts) * np.diff(bitext.target_starts)
    blocks = np.concatenate(([0], np.cumsum(lengths)))
    slots: IntArray = np.lib.format.open_memmap(
        folder / "slots.npy", mode="w+", dtype=np.int32, shape=(int(blocks[-1]),)
    )
    sizes = (len(bitext.source_words), len(bitext.target_words))
    texts = (bitext.source, bitext.source_starts, bitext.target, bitext.target_starts)
    parts = max(LANES, -(-len(bitext) // CHUNK))
    bounds = np.arange(parts + 1) * len(bitext) // parts

    def keys(part: int) -> IntArray:
        return _distinct_pairs(bounds[part], bounds[part + 1], *texts, *sizes)

    def fill(part: int) -> None:
        _fill_slots(bounds[part], bounds[part + 1], *texts, *sizes, starts, columns, blocks, slots)

    with ThreadPoolExecutor(workers) as pool:
        found: IntArray = np.empty(0, dtype=np.int64)
        for some in pool.map(keys, range(parts)):
            found = _union(found, some)
        starts = np.searchsorted(found, np.arange(sizes[0] + 1, dtype=np.int64) * sizes[1])
        columns = (found % sizes[1]).astype(np.int32)
        del found
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
def _by_word(
    first: int, last: int, text: IntArray, starts: IntArray, size: int
) -> tuple[IntArray, IntArray, IntArray]:
    """Where each word stands in sentences ``first`` to ``last``: starts, sentences, positions."""
    word_starts = np.zeros(size + 1, dtype=np.int64)
    for place in range(starts[first], starts[last]):
        word_starts[text[place] + 1] += 1
    word_starts = np.cumsum(word_starts)
    free = word_starts[:-1].copy()
    sentences = np.empty(word_starts[-1], dtype=np.int32)
    positions = np.empty(word_starts[-1], dtype=np.int32)
    for sentence in range(first, last):
        for place in range(starts[sentence], starts[sentence + 1]):
            word = text[place]
            sentences[free[word]] = sentence
            positions[free[word]] = place - starts[sentence]
            free[word] += 1
    return word_starts, sentences, positions


@numba.njit(nogil=True, cache=True)
def _distinct_pairs(
    first: int,
    last: int,
    source: IntArray,
    source_starts: IntArray,
    target: IntArray,
    target_starts: IntArray,
    source_size: int,
    target_size: int,
) -> IntArray:
    """``s * target_size + t`` for every pair of words that meet, ascending, each once."""
    starts, sentences, _ = _by_word(first, last, source, source_starts, source_size)
    met_by = np.full(target_size, -1, dtype=np.int32)
    row = np.empty(target_size, dtype=np.int64)
    found = np.empty(1 << 16, dtype=np.int64)
    size = 0
    for word in range(source_size):
        length = 0
        for place in range(starts[word], starts[word + 1]):
            sentence = sentences[place]
            for other in range(target_starts[sentence], target_starts[sentence + 1]):
                translation = target[other]
                if met_by[translation] != word:
                    met_by[translation] = word
                    row[length] = translation
                    length += 1
        if size + length > len(found):
            grown = np.empty(max(2 * len(found), size + length), dtype=np.int64)
            grown[:size] = found[:size]
            found = grown
        found[size : size + length] = np.sort(row[:length]) + np.int64(word) * target_size
        size += length
    return found[:size].copy()


@numba.njit(nogil=True, cache=True)
def _fill_slots(
    first: int,
    last: int,
    source: IntArray,
    source_starts: IntArray,
    target: IntArray,
    target_starts: IntArray,
    source_size: int,
    target_size: int,
    row_starts: IntArray,
    columns: IntArray,
    blocks: IntArray,
    slots: IntArray,
) -> None:
    starts, sentences, positions = _by_word(first, last, source, source_starts, source_size)
    slot_of = np.empty(target_size, dtype=np.int32)
    for word in range(source_size):
        if starts[word] == starts[word + 1]:
            continue
        for slot in range(row_starts[word], row_starts[word + 1]):
            slot_of[columns[slot]] = slot
        for place in range(starts[word], starts[word + 1]):
            begin = target_starts[sentences[place]]
            length = target_starts[sentences[place] + 1] - begin
            block = blocks[sentences[place]] + positions[place] * length
            for j in range(length):
                slots[block + j] = slot_of[target[begin + j]]


@numba.njit(nogil=True, cache=True)
def _renumber(slots: IntArray, places: IntArray) -> None:
    for n in range(len(slots)):
        if slots[n] != DROPPED:
            slots[n] = places[slots[n]]
