"""A cluster -> what is wrong with an index in it: nodes, replicas, documents and statistics.

A node answers from its own replica of a shard where it has an active one. So all nodes are asked
for all documents, and two answers that differ are two replicas that differ.
"""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from qdrant_client import QdrantClient

from dragoman.cluster.address import ClusterAddress
from dragoman.cluster.connection import ClusterUnavailable, Connection
from dragoman.cluster.index import ClusterIndex
from dragoman.cluster.points import StoredDocument, read_document
from dragoman.cluster.retrieval import Retrieval
from dragoman.cluster.statistics import Layer
from dragoman.cluster.store import ClusterStore
from dragoman.errors import DragomanError
from dragoman.indexes.maintenance.findings import (
    Component,
    Finding,
    Severity,
    VerificationReport,
)
from dragoman.protocols import Advance, no_progress

REPAIR = "Write the newest version of each again: dragoman verify INDEX --repair"
RECOMPUTE = "Compute them from the documents again: dragoman verify INDEX --repair"


class _Copy(NamedTuple):
    """What is compared of a document: two replicas must have the same."""

    doc_id: str
    version: int
    checksum: int


def verify_cluster(
    address: ClusterAddress, advance: Advance = no_progress, *, repair: bool = False
) -> tuple[VerificationReport, tuple[str, ...]]:
    """The findings about an index in a cluster, and what was repaired."""
    repairs: list[str] = []
    with ClusterIndex(address) as index:
        if repair:
            repairs += _finish_batch(index)
        report = _report(index, advance)
        if repair and report.damage:
            repairs += _repair(index, report)
            report = _report(index, advance)
    return report, tuple(repairs)


def _report(index: ClusterIndex, advance: Advance) -> VerificationReport:
    store = index.cluster_store
    copies, findings = _copies_of_nodes(index, advance)
    findings += _different_copies(copies)
    findings += _shard_states(store)
    findings += _unfinished(store)
    documents = sum(store.statistics(store.state.head()).languages.values())
    findings += _wrong_statistics(store, advance)
    shards = store.connection.read(lambda client: client.get_collection(store.collection))
    return VerificationReport(tuple(findings), documents, shards.config.params.shard_number or 1)


def _copies_of_nodes(
    index: ClusterIndex, advance: Advance
) -> tuple[dict[str, dict[str, _Copy]], list[Finding]]:
    """By node, the documents by their points; a node that does not answer is a finding."""
    copies: dict[str, dict[str, _Copy]] = {}
    findings: list[Finding] = []
    for node in index.address.nodes:
        try:
            with closing(Connection(replace(index.address, nodes=(node,)))) as connection:
                copies[node] = dict(_listed(Retrieval(connection, index.cluster_store.collection)))
        except (ClusterUnavailable, DragomanError) as error:
            found = f"a node that does not answer ({error})"
            findings.append(
                Finding(Component.SEGMENTS, node, found, "Start it, or replace its replicas.")
            )
        advance()
    return copies, findings


def _listed(retrieval: Retrieval) -> Iterator[tuple[str, _Copy]]:
    for point in retrieval.scroll(["document", "version", "checksum"]):
        payload = point.payload
        doc_id = read_document(payload["document"]).doc_id
        yield str(point.id), _Copy(doc_id, payload["version"], payload["checksum"])


def _different_copies(copies: dict[str, dict[str, _Copy]]) -> list[Finding]:
    points = {point for mine in copies.values() for point in mine}
    different: list[str] = []
    for point in points:
        found = [mine.get(point) for mine in copies.values()]
        if len({*found}) > 1:
            different.append(max(filter(None, found)).doc_id)
    if not different:
        return []
    problem = "found replicas with different versions of documents"
    return [Finding(Component.DOCUMENTS, "", problem, REPAIR, tuple(sorted(different)))]


def _shard_states(store: ClusterStore) -> list[Finding]:
    """Shards whose replicas are not all active."""
    findings = []
    for collection in (store.collection, store.state.collection):
        info = store.connection.read(
            lambda client, name=collection: client.http.distributed_api.collection_cluster_info(
                name
            )  # type: ignore[misc]
        ).result
        shards = [*info.local_shards, *info.remote_shards]
        waiting = sorted({one.shard_id for one in shards if one.state != "Active"})
        if waiting:
            found = f"found shards with a replica that is not active: {waiting}"
            findings.append(
                Finding(
                    Component.SEGMENTS,
                    collection,
                    found,
                    "It recovers by itself once its node is back.",
                    severity=Severity.WARNING,
                )
            )
    return findings


def _cluster_info(client: QdrantClient, collection: str) -> Any:  # noqa: ANN401 - has no types
    return client.http.distributed_api.collection_cluster_info(collection).result


def _unfinished(store: ClusterStore) -> list[Finding]:
    head = store.state.head(agreed=True)
    if store.state.read_blob(f"journal:{head.batch + 1}") is None:
        return []
    found = f"found the batch {head.batch + 1} unfinished, of {head.owner or 'a former writer'}"
    remedy = "The next writer finishes it, or: dragoman verify INDEX --repair"
    return [Finding(Component.LEFTOVERS, "journal", found, remedy, severity=Severity.WARNING)]


def recomputed(store: ClusterStore, advance: Advance = no_progress) -> Layer:
    """The statistics that follow from the documents; words and facts as they are recorded."""
    known = Layer.sum(store.statistics(store.state.head()).layers)
    layers: list[Layer] = []
    points = [str(point.id) for point in store.retrieval.scroll(["version"])]
    for start in range(0, len(points), 1024):
        some = [*store.retrieval.fetch(points[start : start + 1024]).values()]
        layers = [Layer.sum([*layers, Layer.of_change(some, (), store.spaces, {})])]
        advance()
    return replace(Layer.sum(layers), words=known.words, facts=known.facts)


def _wrong_statistics(store: ClusterStore, advance: Advance) -> list[Finding]:
    recorded = Layer.sum(store.statistics(store.state.head()).layers)
    try:
        true = recomputed(store, advance)
    except DragomanError as error:
        return [Finding(Component.DOCUMENTS, "", str(error), "Write the documents again.")]
    wrong = [
        name
        for name, same in {
            "numbers of documents": dict(true.counts) == dict(recorded.counts),
            "lengths": _filled(true) == _filled(recorded),
            "document frequencies": _same_frequencies(true, recorded),
            "metadata fields": dict(true.fields) == dict(recorded.fields),
        }.items()
        if not same
    ]
    if not wrong:
        return []
    found = f"found statistics that are not those of the documents: {', '.join(wrong)}"
    return [Finding(Component.COUNTERS, "", found, RECOMPUTE)]


def _filled(layer: Layer) -> dict[str, dict[str, tuple[int, int]]]:
    return {
        space: {code: (total, some) for code, (total, some) in mine.items() if total or some}
        for space, mine in layer.lengths.items()
    }


def _same_frequencies(one: Layer, other: Layer) -> bool:
    return one.dimensions.keys() == other.dimensions.keys() and all(
        np.array_equal(one.dimensions[space][column], other.dimensions[space][column])
        for space in one.dimensions
        for column in (0, 1)
    )


def _finish_batch(index: ClusterIndex) -> list[str]:
    """Finish the batch of a writer that was stopped."""
    store = index.cluster_store
    if not _unfinished(store):
        return []
    store.add((), {"verified": "finished"})
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
    """The newest version of each document on any node."""
    found: dict[str, StoredDocument] = {}
    for node in index.address.nodes:
        with closing(Connection(replace(index.address, nodes=(node,)))) as connection:
            store = ClusterStore(connection, index.cluster_store.collection, index.system.spaces)
            for one in store.stored(doc_ids):
                before = found.get(one.document.doc_id)
                if before is None or one.version > before.version:
                    found[one.document.doc_id] = one
    return [*found.values()]
