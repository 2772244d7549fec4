from dataclasses import replace

import pytest

from dragoman.experiments.index_cache import cached_index, fingerprint
from dragoman.experiments.tasks import read_collection


@pytest.mark.usefixtures("encoder")
def test_a_cached_index_is_opened_again_and_a_changed_collection_indexed_anew(packages, tmp_path):
    documents, cache = read_collection(packages).documents[:4], tmp_path / "cache"
    for _ in range(2):
        with cached_index("toy", documents, cache) as index:
            assert index.count() == 4
    (folder,) = cache.iterdir()
    assert folder.name == f"toy-{fingerprint(documents)}"
    with cached_index("toy", documents[:3], cache) as index:
        assert index.count() == 3
    assert len(list(cache.iterdir())) == 2


def test_the_fingerprint_depends_on_every_field(packages):
    first, second = read_collection(packages).documents[:2]
    changed = [
        replace(first, doc_id="x"),
        replace(first, text="x"),
        replace(first, title="x"),
        replace(first, language="x"),
    ]
    prints = {fingerprint([one, second]) for one in [first, *changed]} | {fingerprint([first])}
    assert len(prints) == 6
