import shutil
from dataclasses import replace

import pytest

import dragoman
from dragoman.cluster import building, copying
from dragoman.cluster.address import parse_cluster_address
from dragoman.cluster.connection import ClusterUnavailable
from dragoman.cluster.copying import copy_to_cluster, copy_to_folder
from dragoman.cluster.verification import verify_cluster
from small_cluster import SETTINGS, document

COUNT = 60
READ_SECONDS = 2  # a copy waits as long before it removes the one that it replaces


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(copying, "BATCH", 10)
    monkeypatch.setattr(copying, "EVERY", 1)
    path = tmp_path / "index"
    documents = map(document, range(COUNT))
    dragoman.index(documents, path, system="bm25", settings={"translate": False}).close()
    return path


def address_of(cluster, **settings):
    asked = {**SETTINGS, "read_seconds": READ_SECONDS, **settings}
    return parse_cluster_address(cluster.address("copied", **asked))


def broken_after(monkeypatch, calls):
    """Let the connection fail in the middle of a copy."""
    write, left = building.ClusterStore.write_points, [calls]

    def failing(*arguments):
        left[0] -= 1
        if left[0] < 0:
            raise ClusterUnavailable("cut")
        write(*arguments)

    monkeypatch.setattr(building.ClusterStore, "write_points", failing)
    return left


def test_an_interrupted_copy_is_continued_and_seen_until_then(cluster, folder, monkeypatch):
    address = address_of(cluster)
    with monkeypatch.context() as broken:
        broken_after(broken, 4)
        with pytest.raises(ClusterUnavailable, match="cut"):
            copy_to_cluster(folder, address)
    with monkeypatch.context() as counted:
        left = broken_after(counted, 100)
        with copy_to_cluster(folder, address) as index:
            assert index.count() == COUNT
    assert 100 - left[0] == 2  # of six batches
    assert verify_cluster(address).findings == ()


def test_a_copy_that_is_repeated_replaces_what_was_changed_since(cluster, folder):
    address = address_of(cluster)
    with copy_to_cluster(folder, address) as first:
        first.delete(["d0001"])
        first.add([document(500)])
        with copy_to_cluster(folder, address_of(cluster, shards=2)) as second:
            assert second.doc_ids() == [f"d{n:04d}" for n in range(COUNT)]
        report = verify_cluster(address)
        assert (report.findings, report.segments) == ((), 2)
        assert first.count() == COUNT


def test_a_copy_that_was_left_is_reported(cluster, folder, monkeypatch):
    address = address_of(cluster)
    copy_to_cluster(folder, address).close()
    with monkeypatch.context() as broken:
        broken_after(broken, 1)
        with pytest.raises(ClusterUnavailable, match="cut"):
            copy_to_cluster(folder, address)
    (finding,) = verify_cluster(address).findings
    assert "builds that were not published: copied." in finding.found


def test_a_copy_to_a_folder_is_continued(cluster, folder, tmp_path, monkeypatch):
    address = address_of(cluster)
    copy_to_cluster(folder, address).close()
    record, left = copying._record, [30]

    def failing(*arguments):
        left[0] -= 1
        if left[0] < 0:
            raise ClusterUnavailable("cut")
        return record(*arguments)

    back = tmp_path / "back"
    with monkeypatch.context() as broken:
        broken.setattr(copying, "batched", lambda ids, _: [ids[:20], ids[20:]])
        broken.setattr(copying, "_record", failing)
        with pytest.raises(ClusterUnavailable, match="cut"):
            copy_to_folder(address, back)
    assert not back.exists()
    left[0] = 1000
    monkeypatch.setattr(copying, "_record", failing)
    with copy_to_folder(address, back) as copied:
        assert copied.count() == COUNT
    assert left[0] == 1000 - (COUNT - 20)


def test_a_changed_folder_is_copied_anew(cluster, folder, tmp_path):
    address = address_of(cluster)
    copy_to_cluster(folder, address).close()
    changed = tmp_path / "changed"
    shutil.copytree(folder, changed)
    with dragoman.open(changed) as index:
        index.add([replace(document(3, 1), text="Entirely new.")])
    with copy_to_cluster(changed, address) as index:
        assert index.documents(["d0003"])[0].text == "Entirely new."
    assert verify_cluster(address).findings == ()
