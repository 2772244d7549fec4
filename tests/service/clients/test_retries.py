"""When a call is tried again."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import ConfigError
from dragoman.service.clients.retries import Retries, retry_after


def test_waiting_times_double_up_to_a_limit():
    retries = Retries(attempts=6, first_seconds=1.0, longest_seconds=5.0, jitter=lambda: 1.0)
    assert [retries.wait(attempt) for attempt in range(1, 7)] == [1.0, 2.0, 4.0, 5.0, 5.0, None]


@given(st.floats(0, 1), st.integers(1, 4), st.floats(0, 30))
def test_never_less_is_waited_than_the_service_asks_for(jitter, attempt, wanted):
    assert Retries(jitter=lambda: jitter).wait(attempt, wanted) >= wanted


def test_a_service_that_asks_for_minutes_is_not_waited_for():
    assert Retries(longest_seconds=30).wait(1, 31) is None


def test_no_attempt_at_all_is_refused():
    with pytest.raises(ConfigError, match="attempts must be at least 1"):
        Retries(attempts=0)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        (None, None),
        ("3", 3.0),
        ("soon", None),
        ("-1", None),
        ("Wed, 18 Nov 2026 00:00:10 GMT", 10.0),
        ("Tue, 17 Nov 2026 00:00:00 GMT", 0.0),
    ],
)
def test_the_header_has_seconds_or_a_date(value, seconds):
    assert retry_after(value, datetime(2026, 11, 18, tzinfo=UTC)) == seconds
