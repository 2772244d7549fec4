from dataclasses import replace

from dragoman.cluster import verification
from dragoman.cluster.verification import recomputed, verify_cluster
from dragoman.indexes.maintenance.findings import Severity
from small_cluster import created, document


def test_statistics_that_are_not_those_of_the_documents_are_found(cluster):
    with created(cluster, "differ", 10) as index:
        assert index.probe() == ""
        store = index.cluster_store
        extra = [replace(one, document=document(99)) for one in store.stored(["d0001"])]
        store.write_points(extra, store.statistics(store.state.head()).facts, 99)
        assert "found 11 documents; expected 10" in index.probe()
        report = verify_cluster(index.address)
        assert [one.component for one in report.damage] == ["counters"]
        assert recomputed(store).counts == {"en": 11}


def test_nodes_that_the_address_lacks_and_that_are_silent_are_found(cluster):
    with created(cluster, "nodes", 5) as index:
        first, *_ = index.address.nodes
        (unnamed,) = verify_cluster(replace(index.address, nodes=(first,))).findings
        assert "found 3 nodes, of which the address names 1" in unnamed.found
        assert unnamed.severity is Severity.WARNING
        settings = replace(index.address.settings, read_seconds=1)
        address = replace(index.address, nodes=(first, "http://127.0.0.1:1"), settings=settings)
        found = [one.found for one in verify_cluster(address).damage]
        assert len(found) == 1
        assert "found the node http://127.0.0.1:1, which does not answer" in found[0]


def test_replicas_that_differ_are_found_though_a_node_falls_silent(cluster, monkeypatch):
    with created(cluster, "replicas", 1) as index:
        one, two, three = index.address.nodes
        kept = {
            one: {"a": (1, 7), "b": (2, 7), "c": (1, 7), "d": (1, 7)},
            two: {"a": (1, 7), "b": (1, 7), "d": (1, 7)},
            three: {"a": (1, 7)},  # then it does not answer
        }

        def copies(_, node, silent):
            for point, content in kept[node].items():
                yield verification._Copy(point, node, f"doc-{point}", content)
            if node == three:
                silent[node] = "cut"

        monkeypatch.setattr(verification, "_copies", copies)
        cut, different = verification._different_replicas(index, lambda: None)
        assert f"found the node {three}, which does not answer (cut)" in cut.found
        assert different.documents == ("doc-b", "doc-c")
