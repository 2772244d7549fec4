"""An index of many rows on three nodes, beside the folder it came from: time, recall, memory, disk.

    python benchmarks/cluster_scale.py INDEX WORK [--rows 200000] [--queries 100] -o FACTS.json

INDEX is a hybrid index. A larger one is made of it, as in ``indexes.py``: its documents with new
ids and noise on every row. It is copied to three nodes that run here, and searched as it is (all
rows compared), then with a graph, then with quantised rows; folder and cluster in turn. A graph is
searched with the smallest of WIDTHS that finds RECALL of the ten nearest. The facts are the input
of ``capacity.py``. ``--layouts`` names some of the layouts, in this order: a second run with the
same WORK and FACTS.json goes on with the copy of the first one.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import numpy as np
from cluster_search import DEPTH, compare, title_queries
from indexes import SEARCHED, enlarged
from qdrant_client import models

import dragoman
from dragoman.cluster.address import ClusterAddress, parse_cluster_address
from dragoman.cluster.collections import vector_quantization
from dragoman.cluster.conditions import point_filter
from dragoman.cluster.copying import copy_to_cluster, stored_documents
from dragoman.cluster.index import ClusterIndex
from dragoman.cluster.points import document_text
from dragoman.cluster.settings import VectorQuantization
from dragoman.indexes.filters import Filter
from dragoman.indexes.index import Index
from dragoman.indexes.memtable import to_bytes
from dragoman.indexes.spaces import SpaceKind
from dragoman.types import Query

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from qdrant_nodes import (  # type: ignore[import-not-found]
    Cluster,
    Node,
    running_cluster,
    three_nodes,
)

SPACE = "dense"
TICKS = os.sysconf("SC_CLK_TCK")
WIDTHS = (64, 128, 256, 512, 1024, 2048)
RECALL = 0.99
COMPARED = "compared"
LAYOUTS = (COMPARED, *(f"graph_{kind}" for kind in VectorQuantization))
GRAPH_FROM_KILOBYTES = 1_000


def size_of(folder: Path) -> int:
    """Bytes of all files, as the disk holds them."""
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file())


def parts_of(storage: Path) -> Counter[str]:
    """Bytes on disk of a node by what they hold, as Qdrant names its folders."""
    parts = Counter[str]()
    for path in storage.rglob("*"):
        if not path.is_file():
            continue
        names = path.relative_to(storage).parts
        part = "others"
        if "wal" in names:
            part = "wal"
        elif "segments" in names and len(names) > names.index("segments") + 3:
            part = names[names.index("segments") + 2]
        if path.name.startswith("quantized"):
            part = "quantized"
        parts[part] += path.stat().st_blocks * 512
    return parts


def node_facts(cluster: Cluster) -> dict[str, object]:
    """Memory and disk of all nodes."""
    private = mapped = 0
    parts = Counter[str]()
    for node in cluster.nodes:
        lines = Path(f"/proc/{node.process.pid}/status").read_text(encoding="ascii").splitlines()
        kilobytes = {line.split(":")[0]: line.split()[1] for line in lines if line[:3] == "Rss"}
        private += 1024 * int(kilobytes["RssAnon"])
        mapped += 1024 * int(kilobytes["RssFile"])
        parts.update(parts_of(node.folder / "storage"))
    return {"private_bytes": private, "mapped_bytes": mapped, "disk_bytes": dict(parts)}


def node_seconds(cluster: Cluster) -> float:
    """Processor time that the nodes have used."""
    stats = [Path(f"/proc/{node.process.pid}/stat").read_text() for node in cluster.nodes]
    return sum(sum(map(int, one.rpartition(")")[2].split()[11:13])) for one in stats) / TICKS


def contents(index: Index) -> dict[str, object]:
    """What a document has on the average: bytes of its text, and of its record by space."""
    spaces = index.system.spaces
    text, records = list[int](), {space.name: list[int]() for space in spaces}
    with index.snapshot() as snapshot:
        for one in stored_documents(snapshot, spaces):
            text.append(len(document_text(one.document).encode()))
            for name, listed in records.items():
                mine = {name: one.vectors[name]} if name in one.vectors else {}
                listed.append(len(to_bytes(mine)))
    return {
        "text_bytes": float(np.mean(text)),
        "record_bytes": {name: float(np.mean(listed)) for name, listed in records.items()},
    }


def distinct_dimensions(index: Index) -> dict[str, int]:
    """By how many documents, drawn at random, how many dimensions of counts they have."""
    counted = [space for space in index.system.spaces if space.kind is SpaceKind.COUNTS]
    with index.snapshot() as snapshot:
        listed = [
            one.vectors[space.name]["dimensions"]
            for one in stored_documents(snapshot, counted)
            for space in counted
        ]
    order = np.random.default_rng(0).permutation(len(listed))
    halves = [len(listed) // 2, len(listed)]
    return {
        str(count): len(np.unique(np.concatenate([listed[place] for place in order[:count]])))
        for count in halves
    }


class Traffic:
    """What this process sends to nodes and gets from them."""

    def __init__(self) -> None:
        self.calls = self.sent = self.received = 0

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count the calls of the block."""
        send = httpx.Client.send

        def counting(client: httpx.Client, request: httpx.Request, **options: object) -> object:
            answer = send(client, request, **options)  # type: ignore[arg-type]
            self.calls += 1
            self.sent += len(request.content)
            self.received += len(answer.content)
            return answer

        httpx.Client.send = counting  # type: ignore[assignment, method-assign]
        try:
            yield
        finally:
            httpx.Client.send = send  # type: ignore[method-assign]


def wait_until_optimized(index: ClusterIndex) -> int:
    """Wait until no node builds anything; returns how many documents have a graph."""
    collection, quiet = index.cluster_store.collection, 0
    while quiet < 3:
        time.sleep(2)
        found = [client.get_collection(collection) for client in index.connection.clients]
        quiet = (
            quiet + 1 if all(one.status == models.CollectionStatus.GREEN for one in found) else 0
        )
    return min(one.indexed_vectors_count or 0 for one in found)


def graph_recall(index: ClusterIndex, vectors: Sequence[np.ndarray]) -> dict[str, dict[str, float]]:
    """By width of the search, the share of the ten nearest documents of each language found.

    Equal scores count. ``exact`` compares all rows; ``p50`` is the time of one such question in ms.
    """
    client, collection = index.connection.clients[0], index.cluster_store.collection
    asked = [(vector, language) for vector in vectors for language in index.languages]
    seconds: dict[str, list[float]] = {}

    def nearest(
        vector: np.ndarray, language: str, width: int | None = None
    ) -> list[models.ScoredPoint]:
        """By the graph with this width; all rows are compared without one."""
        began = time.perf_counter()
        found = client.query_points(
            collection,
            query=[vector.tolist()],
            using=SPACE,
            limit=DEPTH,
            query_filter=point_filter(Filter((language,))),
            search_params=models.SearchParams(
                quantization=models.QuantizationSearchParams(rescore=True, oversampling=2.0),
                exact=width is None,
                hnsw_ef=width,
            ),
            timeout=60,
        ).points
        seconds.setdefault(str(width or "exact"), []).append(time.perf_counter() - began)
        return found

    last = [nearest(*one)[-1].score for one in asked]
    recalls = {"exact": 1.0}
    for width in WIDTHS:
        found = [
            sum(point.score >= lowest for point in nearest(*one, width)) / DEPTH
            for one, lowest in zip(asked, last, strict=True)
        ]
        recalls[str(width)] = float(np.mean(found))
    return {
        name: {"recall": recall, "p50": 1000 * float(np.median(seconds[name]))}
        for name, recall in recalls.items()
    }


def measure(
    here: Index, address: ClusterAddress, cluster: Cluster, queries: Sequence[Query]
) -> dict[str, object]:
    """Time, recall and traffic of folder and cluster, which has fetched nothing before."""
    with ClusterIndex(address) as there:
        there.warm_up()
        traffic, used = Traffic(), node_seconds(cluster)
        with traffic.counted():
            costs, agreements = compare(here, there, queries)
    facts: dict[str, object] = {
        name: {
            **costs[name].milliseconds(),
            "equal": agreements[name].equal / len(queries),
            "recall": float(np.mean(agreements[name].recalls)),
            "largest_difference": agreements[name].largest_difference,
        }
        for name in costs
    }
    per_query = {"calls": traffic.calls, "sent": traffic.sent, "received": traffic.received}
    facts["a_query"] = {name: value / len(queries) for name, value in per_query.items()}
    spent = (node_seconds(cluster) - used) / len(queries)
    return {**facts, "nodes_processor": 1000 * spent, **node_facts(cluster)}


def changed(there: ClusterIndex, quantization: VectorQuantization) -> float:
    """Give a collection graphs and quantised rows; returns the seconds until they are there."""
    began, collection = time.perf_counter(), there.cluster_store.collection
    there.connection.write(
        lambda client: client.update_collection(
            collection,
            optimizers_config=models.OptimizersConfigDiff(indexing_threshold=GRAPH_FROM_KILOBYTES),
            quantization_config=vector_quantization(quantization),
            timeout=60,
        )
    )
    wait_until_optimized(there)
    return time.perf_counter() - began


def folder_memory(folder: Path, queries: Sequence[Query]) -> dict[str, float]:
    """Bytes of a process that searches a folder: its own, and those mapped from files."""
    asked = json.dumps([(query.text, query.language) for query in queries])
    command = [sys.executable, "-c", SEARCHED, str(folder), asked]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    _, private, mapped, _ = json.loads(done.stdout)
    return {"private_bytes": private * 2**20, "mapped_bytes": mapped * 2**20}


def copied(
    large: Path, here: Index, cluster: Cluster, address: ClusterAddress, queries: Sequence[Query]
) -> dict[str, object]:
    """Copy the folder to the nodes; what it took, and how large folder and nodes are."""
    with here.snapshot() as snapshot:
        rows = sum(len(reader.segment.rows(SPACE).rows) for reader in snapshot.readers)
    empty = node_facts(cluster)
    began, used, nodes_used = time.perf_counter(), time.process_time(), node_seconds(cluster)
    copy_to_cluster(large, address).close()
    return {
        "documents": here.count(),
        "rows": rows,
        "a_document": contents(here),
        "distinct_dimensions": distinct_dimensions(here),
        "replication": address.settings.replication,
        "folder_bytes": size_of(large),
        "folder_memory": folder_memory(large, queries),
        "empty_nodes": empty,
        "copy": {
            "seconds": time.perf_counter() - began,
            "client_processor": time.process_time() - used,
            "nodes_processor": node_seconds(cluster) - nodes_used,
        },
    }


def layout_facts(
    name: str, here: Index, cluster: Cluster, address: ClusterAddress, queries: Sequence[Query]
) -> dict[str, object]:
    """The facts of one layout, which the copy gets first."""
    if name == COMPARED:
        with ClusterIndex(address) as there:
            wait_until_optimized(there)
        return measure(here, address, cluster, queries)
    encode = here.system.dense.query_vector  # type: ignore[attr-defined]
    vectors = [encode(query.content) for query in queries]
    with ClusterIndex(address) as there:
        seconds = changed(there, VectorQuantization(name.removeprefix("graph_")))
        recalls = graph_recall(there, vectors)
    enough = (width for width in WIDTHS if recalls[str(width)]["recall"] >= RECALL)
    width = next(enough, WIDTHS[-1])
    wide = replace(address, settings=replace(address.settings, graph_width=width))
    facts = measure(here, wide, cluster, queries)
    return {"build_seconds": seconds, "graph_recall": recalls, "graph_width": width, **facts}


def kept_nodes(folder: Path) -> list[Node]:
    """Three nodes with the ports of the run before, by which they know each other."""
    nodes: list[Node] = three_nodes(folder)
    kept = folder / "ports.json"
    if kept.is_file():
        for node, ports in zip(nodes, json.loads(kept.read_text()), strict=True):
            node.http, node.grpc, node.peer = ports
    kept.write_text(json.dumps([[node.http, node.grpc, node.peer] for node in nodes]))
    return nodes


def write(facts: Mapping[str, object], output: Path) -> None:
    """Write what is known so far."""
    text = json.dumps(facts, indent=1, default=float)
    output.write_text(text + "\n", encoding="utf-8")


def main() -> None:
    """Read the options, measure and write the facts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--layouts", nargs="+", choices=LAYOUTS, default=LAYOUTS)
    parser.add_argument("-o", "--output", type=Path, required=True)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    large = options.work / "large"
    if not large.is_dir():
        enlarged(options.index, large, options.rows)  # at least what INDEX has
    known = options.output.read_text(encoding="utf-8") if options.output.is_file() else "{}"
    facts: dict[str, object] = json.loads(known)
    with (
        running_cluster(kept_nodes(options.work / "nodes")) as cluster,
        dragoman.open(large) as here,
    ):
        cluster.wait_until_whole()
        here.warm_up()
        queries = title_queries(here, options.queries)
        address = parse_cluster_address(cluster.address("scale", read_seconds=60))
        if "copy" not in facts:
            facts |= copied(large, here, cluster, address, queries)
            write(facts, options.output)
        for name in options.layouts:
            facts[name] = layout_facts(name, here, cluster, address, queries)
            print(name, json.dumps(facts[name], default=float), flush=True)
            write(facts, options.output)


if __name__ == "__main__":
    main()
