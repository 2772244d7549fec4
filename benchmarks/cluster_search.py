"""A folder and its copy in a cluster: are rankings the same, and what does a search cost?

    python benchmarks/cluster_search.py FOLDER qdrant://127.0.0.1:6333/NAME [QUERIES]

Queries are the titles of documents, every third one shortened. All are asked in turn, so that a
busy machine slows all; the ratio counts. ``exact`` is the folder without its quantised codes: it
compares all rows, as a cluster does below ``graph_from_kilobytes``. ``recall`` is the share of its
ten best that the others have among their ten.
"""

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from unittest.mock import patch

import numpy as np

import dragoman
from dragoman.indexes.index import Index
from dragoman.indexes.kinds.rows import RowMatrix
from dragoman.types import Hit, Query

DEPTH = 10


@dataclass
class Cost:
    """What the searches of one index took."""

    seconds: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)  # of this process

    def search(self, index: Index, query: Query) -> tuple[Hit, ...]:
        """The hits of a query."""
        began, used = time.perf_counter(), time.process_time()
        hits = index.rank(query, DEPTH).hits
        self.seconds.append(time.perf_counter() - began)
        self.processor.append(time.process_time() - used)
        return hits

    def milliseconds(self) -> dict[str, float]:
        """Median and 99th percentile of the time, and the mean of the processor's."""
        low, high = np.percentile(self.seconds, [50, 99]) * 1000
        return {"p50": low, "p99": high, "processor": float(np.mean(self.processor)) * 1000}


@dataclass
class Agreement:
    """How far rankings are those of the exact folder."""

    equal: int = 0
    recalls: list[float] = field(default_factory=list)
    largest_difference: float = 0.0  # of a score

    def compare(self, found: Sequence[Hit], exact: Sequence[Hit]) -> None:
        """Count one query; a hit that scores as the last one of the exact folder is right, too."""
        scores = {hit.doc_id: hit.score for hit in exact}
        self.equal += [hit.doc_id for hit in found] == [hit.doc_id for hit in exact]
        last = exact[-1].score if len(exact) == DEPTH else -np.inf
        right = sum(hit.doc_id in scores or hit.score >= last for hit in found)
        self.recalls.append(right / max(len(exact), 1))
        differences = [abs(hit.score - scores.get(hit.doc_id, hit.score)) for hit in found]
        self.largest_difference = max([self.largest_difference, *differences])

    def __str__(self) -> str:
        return (
            f"{self.equal} of {len(self.recalls)} rankings equal, recall@{DEPTH}"
            f" {np.mean(self.recalls):.4f}, scores differ by {self.largest_difference:.2g} at most"
        )


def title_queries(index: Index, count: int) -> list[Query]:
    """Titles of documents, spread over the ids."""
    ids = index.doc_ids()
    chosen = [ids[place] for place in np.linspace(0, len(ids) - 1, count).astype(int)]
    documents = [one for one in index.documents(chosen) if one is not None]
    return [
        Query(str(n), (one.title or one.text)[: 40 if n % 3 else 20], one.language)
        for n, one in enumerate(documents)
    ]


def compare(
    here: Index, there: Index, queries: Sequence[Query]
) -> tuple[dict[str, Cost], dict[str, Agreement]]:
    """The cost of folder and cluster, and how far the rankings of both are exact."""
    costs = {"folder": Cost(), "cluster": Cost()}
    agreements = {"folder": Agreement(), "cluster": Agreement()}
    for query in queries:
        with patch.object(RowMatrix, "codes", return_value=None):
            exact = here.rank(query, DEPTH).hits
        for name, index in (("folder", here), ("cluster", there)):
            agreements[name].compare(costs[name].search(index, query), exact)
    return costs, agreements


def main() -> None:
    """Print one table."""
    folder, address = sys.argv[1:3]
    (count,) = map(int, islice([*sys.argv[3:], "200"], 1))
    with dragoman.open(folder) as here, dragoman.open(address) as there:
        here.warm_up()
        there.warm_up()
        queries = title_queries(here, count)
        costs, agreements = compare(here, there, queries)
        print(f"{len(queries)} queries, {here.count():,} documents")
    for name, cost in costs.items():
        taken = cost.milliseconds()
        print(f"{name:8s} exact: {agreements[name]}")
        print(f"{'':8s} ms: " + ", ".join(f"{what} {value:.1f}" for what, value in taken.items()))
    ratio = np.median(costs["cluster"].seconds) / np.median(costs["folder"].seconds)
    print(f"cluster / folder {ratio:.1f}")


if __name__ == "__main__":
    main()
