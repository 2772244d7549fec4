import pytest

from dragoman.service.security import sessions as module
from dragoman.service.security.keys import KeyFile, KeyScope
from dragoman.service.security.sessions import LIFETIME, MOST_FAILURES, Failures, Sessions


class Clock:
    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def keys(tmp_path):
    return KeyFile(tmp_path / "keys.json")


@pytest.fixture
def clock():
    return Clock()


def test_a_session_stands_for_its_key_until_its_time_is_over(keys, clock):
    stored = keys.find(keys.add("a", KeyScope.WRITE))
    sessions = Sessions(keys, clock)
    session = sessions.start(stored)
    clock.now += LIFETIME - 1
    assert sessions.find(session) == stored
    clock.now += 1
    assert sessions.find(session) is None


def test_a_session_ends_with_its_key_and_when_it_is_closed(keys, clock):
    sessions = Sessions(keys, clock)
    one, other = (sessions.start(keys.find(keys.add(n, KeyScope.READ))) for n in "ab")
    sessions.end(one)
    assert sessions.find(one) is None
    keys.revoke("b")
    assert sessions.find(other) is None


def test_ids_of_sessions_are_not_in_memory_and_old_ones_make_way(keys, clock, monkeypatch):
    monkeypatch.setattr(module, "MOST_SESSIONS", 2)
    stored = keys.find(keys.add("a", KeyScope.READ))
    sessions = Sessions(keys, clock)
    first, second, third = (sessions.start(stored) for _ in range(3))
    assert sessions.find(first) is None
    assert sessions.find(second) == sessions.find(third) == stored
    assert second not in repr(sessions)


def test_many_wrong_keys_have_to_wait_by_address(clock):
    failures = Failures(clock)
    for _ in range(MOST_FAILURES):
        assert failures.count("192.0.2.1") == 0
        clock.now += 1
    assert failures.count("192.0.2.1") == 60 - MOST_FAILURES
    assert failures.count("192.0.2.2") == 0
    clock.now += 60
    assert failures.count("192.0.2.1") == 0


def test_addresses_are_forgotten(clock, monkeypatch):
    monkeypatch.setattr(module, "MOST_ADDRESSES", 10)
    failures = Failures(clock)
    for number in range(100):
        failures.count(str(number))
    assert len(failures._times) == 10
