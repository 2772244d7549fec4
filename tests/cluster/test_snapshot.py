import pytest

import dragoman
from dragoman.cluster.address import parse_cluster_address
from dragoman.cluster.copying import copy_to_cluster
from dragoman.encoders.models import UNIVERSAL
from dragoman.types import Document, Query

COPIES = 120  # more than a search fetches


def test_of_documents_with_equal_rows_the_first_by_id_are_found(cluster, tmp_path):
    if not UNIVERSAL.installed:
        pytest.skip("needs the encoder: dragoman models get default")
    names = [f"copy-{(37 * number) % COPIES:03d}" for number in range(COPIES)]
    documents = [Document(name, "Bread is baked with yeast.", "", "en") for name in names]
    documents += [Document("other", "The tide follows the moon.", "", "en")]
    dragoman.index(documents, tmp_path / "index", system="dense").close()
    address = parse_cluster_address(cluster.address("ties", read_seconds=6))
    with copy_to_cluster(tmp_path / "index", address) as index:
        hits = index.rank(Query("q", "baking bread", "en"), 10).hits
        assert [hit.doc_id for hit in hits] == [f"copy-{number:03d}" for number in range(10)]
        assert {hit.score for hit in hits} == {hits[0].score}
