from dataclasses import replace

import pytest

from dragoman.experiments.index_cache import fingerprint, indexed
from dragoman.experiments.tasks import opened


@pytest.mark.usefixtures("encoder")
def test_a_kept_index_is_opened_again_and_a_changed_collection_indexed_anew(packages, tmp_path):
    documents, keep = opened(packages).documents[:4], tmp_path / "kept"
    for _ in range(2):
        with indexed("toy", documents, keep) as index:
            assert index.count() == 4
    (folder,) = keep.iterdir()
    assert folder.name == f"toy-{fingerprint(documents)}"
    with indexed("toy", documents[:3], keep) as index:
        assert index.count() == 3
    assert len(list(keep.iterdir())) == 2


def test_the_fingerprint_depends_on_every_field(packages):
    first, second = opened(packages).documents[:2]
    changed = [
        replace(first, doc_id="x"),
        replace(first, text="x"),
        replace(first, title="x"),
        replace(first, language="x"),
    ]
    prints = {fingerprint([one, second]) for one in [first, *changed]} | {fingerprint([first])}
    assert len(prints) == 6
