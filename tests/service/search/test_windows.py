"""The cache of rankings."""

from dragoman.service.search.cursors import SnapshotId
from dragoman.service.search.windows import RankingWindow, Windows
from dragoman.types import Query


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
