import pytest

from toys import toy_encoder


@pytest.fixture
def toy():
    """Makes an encoder of words: ``toy("sw", {"maji": 0})`` puts a word on an axis of 8."""
    return toy_encoder
