import signal

import pytest

from toys import toy_encoder

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell lets its background jobs ignore Ctrl-C, and their processes would inherit that
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def toy():
    """Makes an encoder of words: ``toy("sw", {"maji": 0})`` puts a word on an axis of 8."""
    return toy_encoder


def pytest_make_parametrize_id(val, argname):
    """Bytes are left out of test ids: packed ones hold the time, and workers must agree on ids."""
    return argname if isinstance(val, bytes) else None


def pytest_collection_modifyitems(items):
    """The pages of the documentation come first: one worker runs them, and they take longest."""
    items.sort(key=lambda item: item.path.name != "test_docs.py")
