"""Rankings to a fixed depth, computed once and cached: pages and facets are taken from them.

What is cached is packed: plain tuples of strings and numbers, which Python's garbage collector soon
leaves alone. As objects, 128 windows were 330,000 of them, and each full collection kept Python's
lock for 160 ms, in which no connection was answered.
"""

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from dragoman.indexes.search.answer import Group, GroupMember, Relation
from dragoman.service.search.cursors import SnapshotId
from dragoman.text.language_detection import Detection
from dragoman.types import Hit, Query, ScorePart

WindowKey = tuple[SnapshotId, bytes]  # of a snapshot and the digest of a request
PackedGroup = tuple[
    tuple[str, float],  # the hit
    tuple[tuple[str, float, float], ...],  # the parts of its score
    tuple[tuple[str, float, str, str, str], ...],  # members
]


@dataclass(frozen=True, slots=True)
class RankingWindow:
    """The best hits of a search in one snapshot, as deep as pages go."""

    key: WindowKey
    query: Query
    detection: Detection | None  # None where the query's language was declared
    doc_ids: tuple[str, ...]  # of all hits
    groups: tuple[PackedGroup, ...]  # of the hits; each hit by itself where they are not grouped
    warnings: tuple[str, ...]
    facets: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # counted on demand

    def page(self, offset: int, most: int) -> list[Group]:
        """The groups from an offset on."""
        return [unpack(group) for group in self.groups[offset : offset + most]]


def pack(group: Group) -> PackedGroup:
    """A group as plain tuples."""
    hit = group.hit
    members = [
        (one.doc_id, one.score, one.language, one.title, one.relation.value)
        for one in group.members
    ]
    return (hit.doc_id, hit.score), tuple([(*part,) for part in hit.parts]), tuple(members)


def unpack(packed: PackedGroup) -> Group:
    """The group that ``pack`` packed."""
    hit, parts, members = packed
    return Group(
        Hit(*hit, tuple([ScorePart(*part) for part in parts])),
        tuple([GroupMember(*facts[:4], Relation(facts[4])) for facts in members]),
    )


class Windows:
    """The windows used last, for a limited time; safe to share between threads."""

    def __init__(self, most: int, seconds: float) -> None:
        self._most, self._seconds = most, seconds
        self._windows: OrderedDict[WindowKey, tuple[float, RankingWindow]] = OrderedDict()
        self._changing = threading.Lock()

    def __len__(self) -> int:
        return len(self._windows)

    def get(self, key: WindowKey) -> RankingWindow | None:
        """The window of a snapshot and a request; None where it is not cached (any more)."""
        with self._changing:
            entry = self._windows.get(key)
            if entry is None:
                return None
            if time.monotonic() - entry[0] > self._seconds:
                del self._windows[key]
                return None
            self._windows.move_to_end(key)
            return entry[1]

    def put(self, window: RankingWindow) -> None:
        """Cache a window; the one that was not used for longest gives way."""
        with self._changing:
            self._windows[window.key] = time.monotonic(), window
            self._windows.move_to_end(window.key)
            while len(self._windows) > self._most:
                self._windows.popitem(last=False)
