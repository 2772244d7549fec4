"""Ids -> a set of their 64-bit hashes, in about 20 bytes an id whatever its length.

The hashes are in one flat table with open addressing: a fifth of the memory of a Python set of
short ids, at three times its cost per id. Two different ids share a hash with probability below
n**2 / 2**65: 3 in a million for ten million ids. Such a pair is reported as a duplicate; nothing is
ever lost silently.
"""

from array import array
from hashlib import blake2b

_FREE = 0
_FIRST_SIZE = 1 << 10


def hash_id(text: str) -> int:
    """A 64-bit hash that is the same on every machine; never 0."""
    digest = blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little") or 1


class IdSet:
    """A growing set of ids that stores their hashes only."""

    def __init__(self) -> None:
        self._table = array("Q", bytes(8 * _FIRST_SIZE))
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __contains__(self, text: object) -> bool:
        key = hash_id(str(text))
        return self._table[self._slot(key)] == key

    def add(self, text: str) -> bool:
        """Add ``text``; False where it was there already."""
        key = hash_id(text)
        slot = self._slot(key)
        if self._table[slot] == key:
            return False
        self._table[slot] = key
        self._count += 1
        if 3 * self._count > 2 * len(self._table):
            self._grow()
        return True

    def _slot(self, key: int) -> int:
        table, mask = self._table, len(self._table) - 1
        slot = key & mask
        while table[slot] not in (key, _FREE):
            slot = (slot + 1) & mask
        return slot

    def _grow(self) -> None:
        old = self._table
        self._table = array("Q", bytes(16 * len(old)))
        for key in old:
            if key != _FREE:
                self._table[self._slot(key)] = key
