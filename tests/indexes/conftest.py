import pytest

from dragoman.indexes.edge import EdgeStore
from stored import SPACES


@pytest.fixture
def store(tmp_path):
    """An empty store with a space for words and one for passages."""
    opened = EdgeStore.create(tmp_path / "store", SPACES)
    yield opened
    opened.close()
