"""A damaged index in a cluster -> one whose replicas and statistics agree with its documents."""

from contextlib import closing, suppress
from dataclasses import replace

from dragoman.cluster.address import ClusterAddress
from dragoman.cluster.connection import ClusterUnavailable, Connection
from dragoman.cluster.index import ClusterIndex
from dragoman.cluster.points import StoredDocument
from dragoman.cluster.store import ClusterStore
from dragoman.cluster.verification import recomputed, unfinished_batch, verify_index
from dragoman.indexes.maintenance.findings import Component, VerificationReport
from dragoman.protocols import Advance, no_progress


def repair_cluster(
    address: ClusterAddress, advance: Advance = no_progress
) -> tuple[tuple[str, ...], VerificationReport]:
    """What was repaired, and the findings that are left."""
    with ClusterIndex(address) as index:
        repairs = _finish_batch(index.cluster_store)
        report = verify_index(index, advance)
        if report.damage:
            repairs += _repair(index, report)
            report = verify_index(index, advance)
    return tuple(repairs), report


def _finish_batch(store: ClusterStore) -> list[str]:
    """Finish the batch of a writer that was stopped."""
    if not [*unfinished_batch(store)]:
        return []
    store.finish_batch()
    return ["the unfinished batch was written to its end"]


def _repair(index: ClusterIndex, report: VerificationReport) -> list[str]:
    """Write differing documents again, and statistics that follow from the documents."""
    store, repairs = index.cluster_store, list[str]()
    different = {doc_id for one in report.of(Component.DOCUMENTS) for doc_id in one.documents}
    if different:
        newest = _newest(index, sorted(different))
        store.rewrite(newest)
        repairs.append(f"{len(newest):,} documents were written again to all replicas")
    if report.of(Component.COUNTERS) or different:
        store.replace_statistics(recomputed(store))
        repairs.append("the statistics were computed from the documents")
    return repairs


def _newest(index: ClusterIndex, doc_ids: list[str]) -> list[StoredDocument]:
    """The newest version of each document on any node that answers."""
    found: dict[str, StoredDocument] = {}
    for node in index.address.nodes:
        with (
            suppress(ClusterUnavailable),
            closing(Connection(replace(index.address, nodes=(node,)))) as connection,
        ):
            store = ClusterStore(connection, index.cluster_store.collection, index.system.spaces)
            for one in store.stored(doc_ids):
                before = found.get(one.document.doc_id)
                if before is None or one.version > before.version:
                    found[one.document.doc_id] = one
    return [*found.values()]
