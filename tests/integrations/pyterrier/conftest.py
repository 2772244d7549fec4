import pytest

from dragoman.integrations.pyterrier.index_artifact import DragomanIndex
from small_frames import DOCUMENTS


@pytest.fixture(scope="session")
def artifact(tmp_path_factory):
    index = DragomanIndex(tmp_path_factory.mktemp("pt") / "index", system="psq").index(DOCUMENTS)
    yield index
    index.close()
