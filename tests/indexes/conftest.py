import pytest

from dragoman import compilation
from dragoman.indexes.store import Store
from stored import SPACES


@pytest.fixture
def store(tmp_path):
    """An empty store with a space for words and one for passages."""
    opened = Store.create(tmp_path / "store", SPACES)
    yield opened
    opened.close()


@pytest.fixture
def compiling():
    """Puts back whether compiled kernels are in use."""
    before = compilation.is_enabled()
    yield
    (compilation.enable if before else compilation.disable)()


@pytest.fixture(params=["numpy", "compiled"])
def form(request, compiling):
    """The test runs with either form of the kernels."""
    (compilation.enable if request.param == "compiled" else compilation.disable)()
    return request.param
