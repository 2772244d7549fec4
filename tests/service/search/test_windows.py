"""The cache of rankings."""

import gc

from dragoman.indexes.search.answer import Group, GroupMember, Relation
from dragoman.service.search.cursors import SnapshotId
from dragoman.service.search.windows import RankingWindow, Windows, pack, unpack
from dragoman.types import Hit, Query, ScorePart


def window(number: int) -> RankingWindow:
    key = SnapshotId(bytes(16), 1), number.to_bytes(16, "big")
    return RankingWindow(key, Query("q", str(number), "en"), None, (), (), ())


def test_the_window_not_used_for_longest_gives_way():
    windows = Windows(2, 60)
    first, second, third = map(window, range(3))
    windows.put(first)
    windows.put(second)
    assert windows.get(first.key) is first
    windows.put(third)
    assert windows.get(second.key) is None
    assert windows.get(first.key) is first
    assert len(windows) == 2


def test_a_window_expires():
    windows = Windows(2, -1)
    windows.put(window(1))
    assert windows.get(window(1).key) is None
    assert len(windows) == 0


PARTS = (ScorePart("psq", 3.5, 0.25), ScorePart("dense", 0.5, 0.75))
MEMBERS = (
    GroupMember("b", 0.5, "it", "titolo", Relation.TRANSLATION),
    GroupMember("c", 0.25, "en", "title", Relation.COPY),
)


def test_what_is_packed_comes_out_the_same():
    groups = [Group(Hit("a", 1.0, PARTS), MEMBERS), Group(Hit("d", 0.125))]
    assert [unpack(pack(group)) for group in groups] == groups


def test_the_garbage_collector_does_not_look_at_packed_groups():
    packed = tuple(map(pack, [Group(Hit("a", 1.5, PARTS), MEMBERS)]))
    gc.collect()
    assert not gc.is_tracked(packed)


def test_a_page_is_a_part_of_the_groups():
    groups = [Group(Hit(name, 1.0)) for name in "abcd"]
    key = SnapshotId(bytes(16), 1), bytes(16)
    window = RankingWindow(key, Query("q", "", "en"), None, (), tuple(map(pack, groups)), ())
    assert window.page(1, 2) == groups[1:3]
    assert window.page(4, 2) == []
