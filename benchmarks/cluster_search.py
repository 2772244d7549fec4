"""A folder and its copy in a cluster: are rankings the same, and what does a search cost?

    python benchmarks/cluster_search.py FOLDER qdrant://127.0.0.1:6333/NAME [QUERIES]

Queries are the titles of documents, every third one shortened. Both are asked in turn, so that a
busy machine slows both; the ratio counts. ``recall`` is the share of the folder's ten best that the
cluster has among its ten.
"""

import sys
import time

import numpy as np

import dragoman
from dragoman.types import Query

DEPTH = 10


def main() -> None:
    """Print one table."""
    folder, address = sys.argv[1:3]
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 200
    with dragoman.open(folder) as here, dragoman.open(address) as there:
        here.warm_up()
        there.warm_up()
        ids = here.doc_ids()
        chosen = [ids[i] for i in np.linspace(0, len(ids) - 1, count).astype(int)]
        documents = [one for one in here.documents(chosen) if one is not None]
        queries = [
            Query(str(n), (one.title or one.text)[: 40 if n % 3 else 20], one.language)
            for n, one in enumerate(documents)
        ]
        seconds: dict[str, list[float]] = {"folder": [], "cluster": []}
        same, shared, apart = 0, 0, 0.0
        for query in queries:
            hits = {}
            for name, index in (("folder", here), ("cluster", there)):
                began = time.perf_counter()
                hits[name] = index.rank(query, DEPTH).hits
                seconds[name].append(time.perf_counter() - began)
            mine, theirs = hits["cluster"], hits["folder"]
            same += [hit.doc_id for hit in mine] == [hit.doc_id for hit in theirs]
            shared += len({hit.doc_id for hit in mine} & {hit.doc_id for hit in theirs})
            scores = {hit.doc_id: hit.score for hit in theirs}
            differences = [abs(hit.score - scores.get(hit.doc_id, hit.score)) for hit in mine]
            apart = max([apart, *differences])
    print(f"{len(queries)} queries, {len(ids):,} documents")
    print(f"equal rankings {same}, recall@{DEPTH} {shared / DEPTH / len(queries):.4f}")
    print(f"largest difference of a score {apart:.2g}")
    for name, taken in seconds.items():
        low, high = np.percentile(taken, [50, 99]) * 1000
        print(f"{name:8s} p50 {low:.1f} ms  p99 {high:.1f} ms")
    ratio = np.median(seconds["cluster"]) / np.median(seconds["folder"])
    print(f"cluster / folder {ratio:.1f}")


if __name__ == "__main__":
    main()
