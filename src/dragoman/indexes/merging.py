"""The merge policy and the merge: several segments -> one without the deleted documents.

Segments of about the same size form a tier, as in Lucene's tiered merge policy. ``FAN`` segments of
a tier are merged into one of the next, so that every document is written about log(n) times and a
search reads few segments.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import log
from pathlib import Path

import numpy as np

from dragoman.indexes.documents import StoredSegment
from dragoman.indexes.kinds import KINDS
from dragoman.indexes.kinds.layout import DROPPED, Source
from dragoman.indexes.memtable import MEMTABLE
from dragoman.indexes.segment import SegmentReader, segment_facts
from dragoman.indexes.spaces import Space
from dragoman.storage.array_file import write_array_file
from dragoman.storage.packed_strings import PackedStrings

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

    Damage in any of the segments is an error: it must not be copied under a new checksum.
    """
    for one in readers:
        one.segment.arrays.check()
    order = _order(readers)
    targets = [np.full(len(one.segment), DROPPED, np.int64) for one in readers]
    spans: dict[str, tuple[int, int]] = {}
    for target, (language, _, source, document) in enumerate(order):
        targets[source][document] = target
        spans[language] = (spans.get(language, (target, target))[0], target + 1)
    sources = [Source(one.segment.arrays, to) for one, to in zip(readers, targets, strict=True)]
    keys = np.zeros(len(order), np.int64)
    for one, to in zip(readers, targets, strict=True):
        keys[to[to != DROPPED]] = one.segment.keys[to != DROPPED]
    ids = PackedStrings.pack(doc_id for _, doc_id, _, _ in order)
    with write_array_file(path) as writer:
        writer.add("keys", keys)
        writer.add("ids.offsets", ids.offsets)
        writer.add("ids.content", ids.content)
        for space in spaces:
            KINDS[space.kind].merge(sources, space, spans, len(order), writer)
        return writer.finish(segment_facts(spans)), len(order)


def _order(readers: Sequence[SegmentReader]) -> list[tuple[str, str, int, int]]:
    """Language, id, segment and position of every live document, in the new order."""
    order = []
    for source, reader in enumerate(readers):
        ids, deleted = list(reader.segment.ids), reader.deleted.tolist()
        for language, (first, last) in reader.segment.languages.items():
            order += [
                (language, ids[document], source, document)
                for document in range(first, last)
                if not (deleted and deleted[document])
            ]
    return sorted(order)
