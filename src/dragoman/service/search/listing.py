"""A filter -> the documents that pass it, some at a time, however the index changes meanwhile."""

import threading
from bisect import bisect_left, bisect_right
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dragoman.indexes.filters import Filter
from dragoman.indexes.index import Index
from dragoman.indexes.search.listing import ordered_numbers
from dragoman.indexes.segment import ABSENT
from dragoman.indexes.snapshot import Snapshot
from dragoman.service.schemas.documents import ListParameters
from dragoman.service.search.answer_fields import listed_fields
from dragoman.service.search.cursors import Cursor, Cursors, expired_cursor, request_digest
from dragoman.service.search.searching import snapshot_id
from dragoman.service.search.windows import WindowKey
from dragoman.text.languages import parse_list
from dragoman.types import IntArray

MOST_ORDERS = 8  # that are cached


@dataclass(frozen=True)
class DocumentLists:
    """Lists of documents; the orders used last are cached. A page begins after a document."""

    cursors: Cursors
    _orders: OrderedDict[WindowKey, IntArray] = field(default_factory=OrderedDict)
    _changing: threading.Lock = field(default_factory=threading.Lock)

    def answer(self, index: Index, wanted: ListParameters) -> dict[str, Any]:
        """The fields of one page of a list."""
        within = parse_list(wanted.languages) if wanted.languages else None
        chosen = index.scope(within, wanted.where).allowed
        digest = request_digest("documents", index.name, chosen, wanted.sort)
        with index.snapshot() as snapshot:
            key = snapshot_id(index, snapshot), digest
            ordered = self._order(key, snapshot, chosen, wanted.sort)
            first = 0
            if wanted.cursor:
                after = self.cursors.read(wanted.cursor, digest).after
                first = position_after(snapshot, ordered, after, wanted.sort)
            documents = snapshot.documents(ordered[first : first + wanted.limit])
        more = documents and first + len(documents) < len(ordered)
        return {
            "documents": [*map(listed_fields, documents)],
            "total": len(ordered),
            "next": self.cursors.write(Cursor(*key, after=documents[-1].doc_id)) if more else None,
        }

    def _order(self, key: WindowKey, snapshot: Snapshot, chosen: Filter, sort: str) -> IntArray:
        with self._changing:
            if (ordered := self._orders.get(key)) is not None:
                self._orders.move_to_end(key)
                return ordered
        ordered = ordered_numbers(snapshot, chosen, sort)
        with self._changing:
            self._orders[key] = ordered
            while len(self._orders) > MOST_ORDERS:
                self._orders.popitem(last=False)
        return ordered


def position_after(snapshot: Snapshot, ordered: IntArray, doc_id: str, sort: str) -> int:
    """Where a list goes on after a document, which may be gone where ids give the order."""
    if sort == "id":
        return bisect_right(ordered, doc_id, key=snapshot.doc_id)
    if sort == "-id":
        count = len(ordered)
        return count - bisect_left(range(count), doc_id, key=lambda i: snapshot.doc_id(ordered[~i]))
    (number,) = snapshot.numbers_of([doc_id])
    positions = np.flatnonzero(ordered == number)
    if number == ABSENT or not len(positions):
        raise expired_cursor()
    return int(positions[0]) + 1
