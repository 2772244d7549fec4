import pytest

from toys import toy_encoder


@pytest.fixture
def toy():
    """Makes an encoder of words: ``toy("sw", {"maji": 0})`` puts a word on an axis of 8."""
    return toy_encoder


def pytest_make_parametrize_id(val, argname):
    """Bytes are left out of test ids: packed ones hold the time, and workers must agree on ids."""
    return argname if isinstance(val, bytes) else None
