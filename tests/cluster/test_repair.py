from dataclasses import replace

from dragoman.cluster import repair
from dragoman.cluster.repair import repair_cluster
from dragoman.indexes.maintenance.findings import Component, Finding, VerificationReport
from small_cluster import assert_whole, created, document


def test_statistics_are_computed_from_the_documents(cluster):
    with created(cluster, "counted", 10) as index:
        store = index.cluster_store
        extra = [replace(one, document=document(99)) for one in store.stored(["d0001"])]
        store.write_points(extra, store.statistics(store.state.head()).facts, 99)
        repaired, report = repair_cluster(index.address)
        assert repaired == ("the statistics were computed from the documents",)
        assert (report.damage, report.documents) == ((), 11)
        assert index.probe() == ""


def test_documents_that_differ_are_written_again_in_their_newest_version(cluster):
    with created(cluster, "rewritten", 10) as index:
        index.add([document(3, 1)])
        different = Finding(Component.DOCUMENTS, "", "found", "", ("d0003", "d0004"))
        repaired = repair._repair(index, VerificationReport((different,), 10, 3))
        assert repaired[0] == "2 documents were written again to all replicas"
        versions = {f"d{n:04d}": 0 for n in range(10)} | {"d0003": 1}
        assert_whole(cluster, index, versions)
