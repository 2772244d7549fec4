import pytest

from dragoman.experiments.index_cache import cached_index
from dragoman.experiments.tasks import read_collection
from dragoman.text.fingerprints import fingerprint_documents


@pytest.mark.usefixtures("encoder")
def test_a_cached_index_is_opened_again_and_a_changed_collection_indexed_anew(packages, tmp_path):
    documents, cache = read_collection(packages).documents[:4], tmp_path / "cache"
    for _ in range(2):
        with cached_index("toy", documents, cache) as index:
            assert index.count() == 4
    (folder,) = cache.iterdir()
    assert folder.name == f"toy-{fingerprint_documents(documents)[:12]}"
    with cached_index("toy", documents[:3], cache) as index:
        assert index.count() == 3
    assert len(list(cache.iterdir())) == 2
