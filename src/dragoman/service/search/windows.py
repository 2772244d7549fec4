"""Rankings to a fixed depth, computed once and cached: pages and facets are taken from them.

What is cached is packed: a group is one string of bytes, which Python's garbage collector does not
look at. As objects, 128 windows were 330,000 of them, and each full collection kept Python's lock
for 160 ms, in which no connection was answered; as nested tuples still for 30 to 50 ms.
"""

import marshal
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


@dataclass(frozen=True, slots=True)
class RankingWindow:
    """The best hits of a search in one snapshot, as deep as pages go."""

    key: WindowKey
    query: Query
    detection: Detection | None  # None where the query's language was declared
    doc_ids: tuple[str, ...]  # of all hits
    groups: tuple[bytes, ...]  # packed; each hit by itself where they are not grouped
    warnings: tuple[str, ...]
    facets: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # counted on demand

    def page(self, offset: int, most: int) -> list[Group]:
        """The groups from an offset on."""
        return [unpack(group) for group in self.groups[offset : offset + most]]


def pack(group: Group) -> bytes:
    """A group as bytes that ``unpack`` of this process reads."""
    hit = group.hit
    members = [
        (one.doc_id, one.score, one.language, one.title, one.relation.value)
        for one in group.members
    ]
    parts = [(name, float(score), float(weight)) for name, score, weight in hit.parts]
    return marshal.dumps((hit.doc_id, float(hit.score), parts, members))


def unpack(packed: bytes) -> Group:
    """The group that ``pack`` packed."""
    doc_id, score, parts, members = marshal.loads(packed)  # noqa: S302 - of this process
    return Group(
        Hit(doc_id, score, tuple([ScorePart(*part) for part in parts])),
        tuple(
            [
                GroupMember(member, likeness, language, title, Relation(relation))
                for member, likeness, language, title, relation in members
            ]
        ),
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
