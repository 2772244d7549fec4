"""How many nodes does an index need? Tables for docs/scale.md, computed from measured facts alone.

    python benchmarks/capacity.py FACTS.json --encoding SECONDS [--node-gigabytes 64]

FACTS.json is written by ``cluster_scale.py``. ``--encoding`` is the processor time of `dragoman
index` over the documents of INDEX, as `time` prints it (user and system). Only the size of a node
is a choice. What is on disk and in memory grows with documents and rows; what does not is left out.
"""

import argparse
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROWS = {"1 million": 10**6, "100 million": 10**8, "1 billion": 10**9}
SYSTEMS = {"psq": ("psq",), "dense": ("dense",), "hybrid": ("psq", "dense")}
QUANTIZED = {"none": "graph_none", "scalar": "graph_scalar", "binary": "graph_binary"}
SHARDS_A_NODE = 2
FEWEST_NODES = 3
BASE64 = 4 / 3
DIMENSION_BYTES = 12  # its number and its frequency, as ``cluster.statistics`` keeps them


@dataclass(frozen=True)
class Facts:
    """What one copy of a document, or of a row, takes on a node."""

    measured: dict[str, Any]

    @property
    def rows_a_document(self) -> float:
        """Rows of a document."""
        return float(self.measured["rows"] / self.measured["documents"])

    @property
    def copies(self) -> float:
        """Copies of documents on all nodes."""
        return float(self.measured["documents"] * self.measured["replication"])

    def part(self, layout: str, *names: str) -> float:
        """Bytes on disk of some parts, of one copy of a document."""
        parts = self.measured[layout]["disk_bytes"]
        return float(sum(parts.get(name, 0) for name in names)) / self.copies

    def payload(self, spaces: tuple[str, ...]) -> float:
        """Text, record and checksum as they are stored; the factor of storing is measured."""
        one = self.measured["a_document"]
        every = one["text_bytes"] + BASE64 * sum(one["record_bytes"].values())
        mine = one["text_bytes"] + BASE64 * sum(one["record_bytes"].get(s, 0) for s in spaces)
        return self.part("compared", "payload_storage") * float(mine / every)

    def searched(self, spaces: tuple[str, ...], quantization: str) -> dict[str, float]:
        """What a search reads, by part; all of it is in memory, but for rows that have codes."""
        layout = QUANTIZED[quantization]
        parts = {"filters": self.part(layout, "payload_index")}
        if "psq" in spaces:
            sparse = self.part(layout, "vector_storage-psq", "vector_index-psq")
            parts["sparse vectors"] = sparse
        if "dense" in spaces:
            parts["rows"] = self.part(layout, "vector_storage-dense")
            parts["graph"] = self.part(layout, "vector_index-dense")
            parts["codes"] = self.part(layout, "quantized")
        return parts

    def disk(self, spaces: tuple[str, ...], quantization: str) -> float:
        """Bytes on disk of one copy of a document."""
        return self.payload(spaces) + sum(self.searched(spaces, quantization).values())

    def memory(self, spaces: tuple[str, ...], quantization: str) -> float:
        """Bytes in memory of one copy of a document; rows stay on disk where they have codes."""
        parts = self.searched(spaces, quantization)
        if quantization != "none":
            parts.pop("rows", None)
        return sum(parts.values())


def size(value: float) -> str:
    """Bytes as people write them."""
    for unit in ("B", "KB", "MB", "GB", "TB"):
        if value < 1000 or unit == "TB":
            break
        value /= 1000
    return f"{value:,.0f} {unit}" if value >= 10 else f"{value:.1f} {unit}"


def print_document(facts: Facts) -> None:
    """One copy of a document, by system."""
    print("| system | on disk | in memory | with scalar codes | with binary codes |")
    print("| --- | --- | --- | --- | --- |")
    for system, spaces in SYSTEMS.items():
        kinds = QUANTIZED if "dense" in spaces else ["none"]
        memory = [size(facts.memory(spaces, kind)) for kind in kinds]
        memory += ["-"] * (3 - len(memory))
        print(f"| {system} | {size(facts.disk(spaces, 'none'))} | {' | '.join(memory)} |")


def print_index(facts: Facts, encoding: float, node: float) -> None:
    """Whole indexes of hybrid, by rows and quantisation."""
    spaces, replication = SYSTEMS["hybrid"], facts.measured["replication"]
    print("| rows | documents | core-hours to encode | codes | disk | memory | nodes | shards |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, rows in ROWS.items():
        documents = rows / facts.rows_a_document
        hours = encoding / facts.measured["rows"] * rows / 3600
        for kind in QUANTIZED:
            disk, memory = (
                replication * documents * each(spaces, kind) for each in (facts.disk, facts.memory)
            )
            nodes = max(FEWEST_NODES, math.ceil(memory / node))
            print(
                f"| {name} | {documents:,.0f} | {hours:,.0f} | {kind} | {size(disk)} |"
                f" {size(memory)} | {nodes:,} | {SHARDS_A_NODE * nodes:,} |"
            )


def print_statistics(facts: Facts) -> None:
    """Document frequencies that every process keeps; dimensions grow by a power of documents."""
    (few, some), (many, more) = (
        (int(documents), count)
        for documents, count in facts.measured["distinct_dimensions"].items()
    )
    power = math.log(more / some) / math.log(many / few)
    print(f"dimensions grow as documents to the power of {power:.2f}\n")
    print("| rows | dimensions | document frequencies in each process |")
    print("| --- | --- | --- |")
    for name, rows in ROWS.items():
        dimensions = more * (rows / facts.rows_a_document / many) ** power
        print(f"| {name} | {dimensions:,.0f} | {size(dimensions * DIMENSION_BYTES)} |")


def print_query(facts: Facts) -> None:
    """What one search costs, by layout."""
    print("| layout | calls | sent | received | processor of the client | of the nodes |")
    print("| --- | --- | --- | --- | --- | --- |")
    for layout in ("compared", *QUANTIZED.values()):
        mine = facts.measured[layout]
        traffic = mine["a_query"]
        print(
            f"| {layout} | {traffic['calls']:.1f} | {size(traffic['sent'])} |"
            f" {size(traffic['received'])} | {mine['cluster']['processor']:.0f} ms |"
            f" {mine['nodes_processor']:.0f} ms |"
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("facts", type=Path)
    parser.add_argument("--encoding", type=float, required=True, metavar="SECONDS")
    parser.add_argument("--node-gigabytes", type=float, default=64.0)
    options = parser.parse_args()
    facts = Facts(json.loads(options.facts.read_text(encoding="utf-8")))
    print(f"\n{facts.rows_a_document:.2f} rows a document; one copy of a document:\n")
    print_document(facts)
    copies, node = facts.measured["replication"], options.node_gigabytes
    print(f"\nHybrid, {copies} copies, nodes of {node:g} GB of memory:\n")
    print_index(facts, options.encoding, node * 1e9)
    print()
    print_statistics(facts)
    print("\nA query of hybrid:\n")
    print_query(facts)


if __name__ == "__main__":
    main()
