import pytest

from dragoman.cluster.index import ClusterIndex
from small_cluster import assert_whole, created, document


def test_a_journalled_batch_is_finished_by_the_next_writer(cluster, monkeypatch):
    with created(cluster, "journal", 10) as index, ClusterIndex(index.address) as other:
        store = index.cluster_store
        monkeypatch.setattr(store, "write_points", _no_more)
        monkeypatch.setattr(store, "_release", lambda: None)
        with pytest.raises(MemoryError, match="no more"):
            index.add([document(3, 1), document(77, 1)])
        assert {one.metadata["version"] for one in index.documents(["d0003"])} == {0}
        other.add([document(78)])
        versions = {f"d{n:04d}": 0 for n in range(10)} | {"d0003": 1, "d0077": 1, "d0078": 0}
        assert_whole(cluster, other, versions)


def _no_more(*_: object) -> None:
    raise MemoryError("no more")
