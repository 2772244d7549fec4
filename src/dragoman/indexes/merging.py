"""The merge policy and the merge: several segments -> one without the deleted documents.

Segments of about the same size form a tier, as in Lucene's tiered merge policy. ``FAN`` segments of
a tier are merged into one of the next, so that every document is written about log(n) times and a
search reads few segments.
"""

import heapq
from array import array
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import log
from pathlib import Path

import numpy as np

from dragoman.indexes.documents import StoredSegment
from dragoman.indexes.kinds import KINDS
from dragoman.indexes.kinds.layout import MergeOrder
from dragoman.indexes.memtable import MEMTABLE
from dragoman.indexes.segment import SegmentReader, segment_facts
from dragoman.indexes.spaces import Space
from dragoman.storage.array_file import write_array_file

FAN = 8
MOST_DELETED = 1 / 3  # of a segment's documents; it is rewritten when more are deleted


def select_merge(segments: Sequence[StoredSegment], deleted: Mapping[str, int]) -> list[str]:
    """The names of the segments to merge now; empty where none is due."""
    by_tier = sorted(segments, key=lambda one: (_tier(one.documents), one.name))
    for _, group in groupby(by_tier, key=lambda one: _tier(one.documents)):
        if len(tier := list(group)) >= FAN:
            return [one.name for one in tier]
    worn = [one.name for one in segments if deleted.get(one.name, 0) > MOST_DELETED * one.documents]
    return worn[:1]


def _tier(documents: int) -> int:
    return max(0, int(log(max(1, documents / MEMTABLE), FAN)))


def merge(path: Path, readers: Sequence[SegmentReader], spaces: Sequence[Space]) -> tuple[int, int]:
    """Write the live documents of segments into a new one; returns its identity and their number.

    Damage in any of the segments is an error: it must not be copied under a new checksum. Memory
    grows by some bytes for each document, dimension, word and code, not with postings and rows.
    """
    for one in readers:
        one.segment.arrays.check()
    order = _order(readers)
    ids = order.parts([one.segment.ids.offsets for one in readers])
    with write_array_file(path) as writer:
        writer.add("keys", order.values([one.segment.keys for one in readers]))
        writer.add("ids.offsets", ids.starts)
        contents = ids.copies([one.segment.ids.content for one in readers])
        writer.stream("ids.content", np.dtype(np.uint8), (), contents)
        for space in spaces:
            KINDS[space.kind].merge(order, space, writer)
        return writer.finish(segment_facts(order.spans)), len(order)


def _order(readers: Sequence[SegmentReader]) -> MergeOrder:
    """The live documents by language and id."""
    owners, numbers = array("i"), array("i")
    spans: dict[str, tuple[int, int]] = {}
    for language in sorted({code for one in readers for code in one.segment.languages}):
        first = len(owners)
        sorted_ids = [_live_ids(one, number, language) for number, one in enumerate(readers)]
        for _, owner, number in heapq.merge(*sorted_ids):
            owners.append(owner)
            numbers.append(number)
        if len(owners) > first:
            spans[language] = first, len(owners)
    segments = [one.segment.arrays for one in readers]
    return MergeOrder(
        segments, np.frombuffer(owners, np.int32), np.frombuffer(numbers, np.int32), spans
    )


def _live_ids(reader: SegmentReader, owner: int, language: str) -> Iterator[tuple[str, int, int]]:
    """The ids of a segment's live documents in a language, rising, with owner and number."""
    ids, deleted = reader.segment.ids, reader.deleted.tobytes()
    for number in range(*reader.segment.languages.get(language, (0, 0))):
        if not (deleted and deleted[number]):
            yield ids[number], owner, number
