"""Cursors: signed, of one request, for some time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.service.problems import Problem
from dragoman.service.search.cursors import Cursor, Cursors, SnapshotId, request_digest

REQUEST = request_digest("search", "moon")
CURSOR = Cursor(SnapshotId(bytes(range(16)), 7), REQUEST, 20, "b/ü\ud800")


def code(cursors: Cursors, text: str, request: bytes = REQUEST) -> tuple[int, str]:
    with pytest.raises(Problem) as caught:
        cursors.read(text, request)
    return caught.value.status_code, caught.value.code


@given(st.integers(0, 2**32 - 1), st.integers(0, 2**63), st.text())
def test_a_cursor_is_read_as_it_was_written(offset, generation, after):
    cursor = Cursor(SnapshotId(bytes(16), generation), REQUEST, offset, after)
    cursors = Cursors(60, b"key")
    assert cursors.read(cursors.write(cursor), REQUEST) == cursor


def test_a_cursor_with_a_changed_byte_is_refused():
    cursors = Cursors(60)
    text = cursors.write(CURSOR)
    for place in range(len(text) - 1):  # of the last letter, some bits do not count
        changed = text[:place] + ("A" if text[place] != "A" else "B") + text[place + 1 :]
        assert code(cursors, changed) == (400, "bad_cursor")


def test_a_cursor_of_another_service_is_refused():
    assert code(Cursors(60), Cursors(60).write(CURSOR)) == (400, "bad_cursor")


@pytest.mark.parametrize("text", ["a", "%%%", "A" * 400, "ü", "\x00"])
def test_what_is_no_cursor_is_refused(text):
    assert code(Cursors(60), text) == (400, "bad_cursor")


def test_a_cursor_does_not_fit_another_request():
    cursors = Cursors(60)
    other = request_digest("search", "sun")
    assert code(cursors, cursors.write(CURSOR), other) == (400, "cursor_of_another_request")


def test_an_old_cursor_has_expired():
    cursors = Cursors(-2)
    assert code(cursors, cursors.write(CURSOR)) == (410, "expired_cursor")
