"""A cluster -> what is wrong with an index in it: nodes, replicas, documents and statistics.

A node answers from its own replica of a shard where it has an active one. So all nodes are asked
for all documents, and two answers that differ are two replicas that differ.
"""

import heapq
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

import numpy as np

from dragoman.batches import batched
from dragoman.cluster.address import ClusterAddress
from dragoman.cluster.collections import peers
from dragoman.cluster.connection import Connection
from dragoman.cluster.index import ClusterIndex
from dragoman.cluster.points import read_payload
from dragoman.cluster.retrieval import SHOWN, STORED, Candidate, Retrieval
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
SUMMED = 1024  # documents whose statistics are one layer


def verify_cluster(address: ClusterAddress, advance: Advance = no_progress) -> VerificationReport:
    """The findings about an index in a cluster."""
    with ClusterIndex(address) as index:
        return verify_index(index, advance)


def verify_index(index: ClusterIndex, advance: Advance = no_progress) -> VerificationReport:
    """The same for an index that is open."""
    store = index.cluster_store
    documents = sum(store.statistics(store.state.head()).languages.values())
    shards = store.connection.read(lambda client: client.get_collection(store.collection))
    findings = (
        *_unnamed_nodes(index),
        *_different_replicas(index, advance),
        *_waiting_shards(store),
        *unfinished_batch(store),
        *_unpublished(index),
        *_wrong_statistics(store, advance),
    )
    return VerificationReport(findings, documents, shards.config.params.shard_number or 1)


def _unnamed_nodes(index: ClusterIndex) -> Iterator[Finding]:
    """Nodes that the address lacks: their replicas are not compared."""
    named, every = len(index.address.nodes), index.connection.read(peers)
    if named < every:
        found = f"found {every} nodes, of which the address names {named}"
        remedy = "Name all nodes: the replicas of the others were not compared."
        yield Finding(Component.SEGMENTS, "", found, remedy, severity=Severity.WARNING)


class _Copy(NamedTuple):
    """A document as one node has it."""

    point: str
    node: str
    doc_id: str
    content: tuple[int, int]  # version and checksum, the same on all replicas


def _copies(index: ClusterIndex, node: str, silent: dict[str, str]) -> Iterator[_Copy]:
    """What a node has, by points; it becomes ``silent`` where it does not answer (any more)."""
    try:
        with closing(Connection(replace(index.address, nodes=(node,)))) as connection:
            retrieval = Retrieval(connection, index.cluster_store.collection)
            for point in retrieval.scroll([*SHOWN, "checksum"]):
                shown = Candidate.of(point)
                content = shown.version, point.payload["checksum"]
                yield _Copy(shown.point, node, shown.doc_id, content)
    except DragomanError as error:
        silent[node] = str(error)


def _different_replicas(index: ClusterIndex, advance: Advance) -> Iterator[Finding]:
    """Nodes list their points in one order, so that they are compared without keeping them."""
    silent: dict[str, str] = {}
    streams = [_copies(index, node, silent) for node in index.address.nodes]
    different: list[str] = []
    by_point = attrgetter("point")
    for _, copies in groupby(heapq.merge(*streams, key=by_point), key=by_point):
        found = {one.node: one for one in copies}
        missing = any(n not in found and n not in silent for n in index.address.nodes)
        if missing or len({one.content for one in found.values()}) > 1:
            different.append(max(found.values(), key=attrgetter("content")).doc_id)
        advance()
    for node, error in silent.items():
        problem = f"found the node {node}, which does not answer ({error})"
        yield Finding(Component.SEGMENTS, "", problem, "Start it, or replace its replicas.")
    if different:
        problem = "found replicas with different versions of documents"
        yield Finding(Component.DOCUMENTS, "", problem, REPAIR, tuple(sorted(different)))


def _waiting_shards(store: ClusterStore) -> Iterator[Finding]:
    """Shards whose replicas are not all active."""
    for collection in (store.collection, store.state.collection):
        info = store.connection.read(
            lambda client, name=collection: client.http.distributed_api.collection_cluster_info(
                name
            )  # type: ignore[misc]
        ).result
        shards = [*info.local_shards, *info.remote_shards]
        waiting = sorted({one.shard_id for one in shards if one.state != "Active"})
        if waiting:
            found = f"found shards of {collection} with a replica that is not active: {waiting}"
            remedy = "It recovers by itself once its node is back."
            yield Finding(Component.SEGMENTS, "", found, remedy, severity=Severity.WARNING)


def unfinished_batch(store: ClusterStore) -> Iterator[Finding]:
    """The batch of a writer that was stopped, or that is at work now."""
    head = store.state.head(agreed=True)
    if store.state.read_blob(f"journal:{head.batch + 1}") is not None:
        found = f"found the batch {head.batch + 1} unfinished, of {head.owner or 'a former writer'}"
        remedy = "The next writer finishes it, or: dragoman verify INDEX --repair"
        yield Finding(Component.LEFTOVERS, "journal", found, remedy, severity=Severity.WARNING)


def _unpublished(index: ClusterIndex) -> Iterator[Finding]:
    """Collections of builds that were not finished: they take space and no search reads them."""
    build = re.compile(rf"{re.escape(index.address.name)}\.[0-9a-f]{{12}}(\.state)?")
    listed = index.connection.read(lambda client: client.get_collections()).collections
    current = index.cluster_store.collection
    left = sorted(
        one.name for one in listed if build.fullmatch(one.name) and not one.name.startswith(current)
    )
    if left:
        found = f"found collections of builds that were not published: {', '.join(left)}"
        remedy = "Repeat the copy, which continues it, or delete them in Qdrant."
        yield Finding(Component.LEFTOVERS, "", found, remedy, severity=Severity.WARNING)


def recomputed(store: ClusterStore, advance: Advance = no_progress) -> Layer:
    """The statistics that follow from the documents; words and facts as they are recorded."""
    known = Layer.sum(store.statistics(store.state.head()).layers)
    total = Layer()
    for points in batched(store.retrieval.scroll(STORED), SUMMED):
        some = [read_payload(point.payload) for point in points]
        total = Layer.sum([total, Layer.of_change(some, (), store.spaces, {})])
        advance(len(points))
    return replace(total, words=known.words, facts=known.facts)


def _wrong_statistics(store: ClusterStore, advance: Advance) -> Iterator[Finding]:
    recorded = Layer.sum(store.statistics(store.state.head()).layers)
    try:
        true = recomputed(store, advance)
    except DragomanError as error:
        yield Finding(Component.DOCUMENTS, "", str(error), "Write the documents again.")
        return
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
    if wrong:
        found = f"found statistics that are not those of the documents: {', '.join(wrong)}"
        yield Finding(Component.COUNTERS, "", found, RECOMPUTE)


def _filled(layer: Layer) -> dict[str, dict[str, tuple[int, int]]]:
    filled = {
        space: {code: (total, some) for code, (total, some) in mine.items() if total or some}
        for space, mine in layer.lengths.items()
    }
    return {space: mine for space, mine in filled.items() if mine}


def _same_frequencies(one: Layer, other: Layer) -> bool:
    spaces = one.dimensions.keys() | other.dimensions.keys()
    none = np.zeros(0, np.uint32), np.zeros(0, np.int64)
    layers = [(one.dimensions.get(s, none), other.dimensions.get(s, none)) for s in spaces]
    return all(
        np.array_equal(mine[column], theirs[column]) for mine, theirs in layers for column in (0, 1)
    )
