"""Rankings to a fixed depth, computed once and cached: pages and facets are taken from them."""

import threading
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

from dragoman.indexes.search.answer import Group
from dragoman.service.search.cursors import SnapshotId
from dragoman.text.language_detection import Detection
from dragoman.types import Hit, Query

WindowKey = tuple[SnapshotId, bytes]  # of a snapshot and the digest of a request


@dataclass(frozen=True, slots=True)
class RankingWindow:
    """The best hits of a search in one snapshot, as deep as pages go."""

    key: WindowKey
    query: Query
    detection: Detection | None  # None where the query's language was declared
    hits: tuple[Hit, ...]
    groups: tuple[Group, ...]  # of the hits; each hit by itself where they are not grouped
    warnings: tuple[str, ...]
    facets: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # counted on demand


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
