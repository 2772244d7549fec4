import pytest

from dragoman import compilation
from lexical_examples import OPENED, saved_lexicons


@pytest.fixture(scope="session")
def lexicons(tmp_path_factory):
    return saved_lexicons(tmp_path_factory.mktemp("lexicons"))


@pytest.fixture(scope="session", autouse=True)
def _closed_in_the_end():
    with OPENED:
        yield


@pytest.fixture(params=["numpy", "compiled"])
def kernels(request, monkeypatch):
    """Either form of the kernels, whatever a build would turn on."""
    monkeypatch.setattr(compilation, "is_enabled", lambda: request.param == "compiled")
    return request.param
