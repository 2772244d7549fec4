"""Several segments -> one without deleted documents; which ones, and when.

Segments of about the same size are a tier. When a tier has ``FAN`` segments they become one of the
next tier, so that every document is written about log(n) times and a search meets few segments.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby
from math import log
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.indexes.documents import StoredSegment
from dragoman.indexes.kinds import KINDS
from dragoman.indexes.kinds.layout import DROPPED, Source
from dragoman.indexes.memtable import MEMTABLE
from dragoman.indexes.segment import Segment, segment_facts
from dragoman.indexes.spaces import Space
from dragoman.storage.array_file import writing
from dragoman.storage.strings import Strings

FAN = 8
MOST_DELETED = 1 / 3  # of a segment's documents; it is rewritten when more are gone


class Live(NamedTuple):
    """A segment and which of its documents are deleted; empty where none is."""

    segment: Segment
    deleted: NDArray[np.bool_]


def due(segments: Sequence[StoredSegment], deleted: Mapping[str, int]) -> list[str]:
    """The names of segments to merge now; none where nothing is due."""
    by_tier = sorted(segments, key=lambda one: (_tier(one.documents), one.name))
    for _, group in groupby(by_tier, key=lambda one: _tier(one.documents)):
        if len(tier := list(group)) >= FAN:
            return [one.name for one in tier]
    worn = [one.name for one in segments if deleted.get(one.name, 0) > MOST_DELETED * one.documents]
    return worn[:1]


def _tier(documents: int) -> int:
    return max(0, int(log(max(1, documents / MEMTABLE), FAN)))


def merge(path: Path, live: Sequence[Live], spaces: Sequence[Space]) -> tuple[int, int]:
    """Write the live documents of segments into a new one; its identity and how many there are.

    Damage in any of the segments is an error: it must not be copied under a new checksum.
    """
    for one in live:
        one.segment.arrays.check()
    order = _order(live)
    places = [np.full(len(one.segment), DROPPED, np.int64) for one in live]
    spans: dict[str, tuple[int, int]] = {}
    for place, (language, _, source, document) in enumerate(order):
        places[source][document] = place
        spans[language] = (spans.get(language, (place, place))[0], place + 1)
    sources = [Source(one.segment.arrays, mine) for one, mine in zip(live, places, strict=True)]
    keys = np.zeros(len(order), np.int64)
    for one, mine in zip(live, places, strict=True):
        keys[mine[mine != DROPPED]] = one.segment.keys[mine != DROPPED]
    ids = Strings.pack(doc_id for _, doc_id, _, _ in order)
    with writing(path) as writer:
        writer.add("keys", keys)
        writer.add("ids.offsets", ids.offsets)
        writer.add("ids.content", ids.content)
        for space in spaces:
            KINDS[space.kind].merge(sources, space, spans, len(order), writer)
        return writer.finish(segment_facts(spans)), len(order)


def _order(live: Sequence[Live]) -> list[tuple[str, str, int, int]]:
    """Language, id, segment and place of every live document, in the order of the new segment."""
    found = []
    for source, (segment, deleted) in enumerate(live):
        ids = list(segment.ids)
        gone = deleted.tolist()
        for language, (first, last) in segment.languages.items():
            found += [
                (language, ids[document], source, document)
                for document in range(first, last)
                if not (gone and gone[document])
            ]
    return sorted(found)
