"""The kinds of spaces: how each is packed for the database, laid out in a segment, and merged.

Every module has the same functions: ``pack`` (one document -> arrays for the memtable), ``build``
(packed documents -> arrays of a segment), ``merge`` (segments -> arrays of a larger one) and a
class that reads the arrays of one segment.
"""

from types import ModuleType

from dragoman.indexes.kinds import bags, counts, rows, words
from dragoman.indexes.spaces import SpaceKind

KINDS: dict[SpaceKind, ModuleType] = {
    SpaceKind.BAGS: bags,
    SpaceKind.COUNTS: counts,
    SpaceKind.ROWS: rows,
    SpaceKind.WORDS: words,
}
