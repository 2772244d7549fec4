"""One sparse query for all languages of a cluster, or one for each in a batch: what does it cost?

    python benchmarks/cluster_fan_out.py FOLDER http://127.0.0.1:6333

12,000 documents of an index folder are spread over 2, 12 and 24 made-up languages. The one query
asks for as many documents as all others together; ``found`` is the share of the best 60 of each
language that it finds.
"""

import sys
import time
from itertools import islice
from pathlib import Path

import numpy as np
from qdrant_client import QdrantClient, models

from dragoman.cluster.copying import stored_documents
from dragoman.cluster.points import vectors_of
from dragoman.indexes.index import Index

DOCUMENTS, DEPTH, QUERIES, TERMS = 12_000, 60, 50, 12


def request(
    vector: models.SparseVector, space: str, codes: list[str], k: int
) -> models.QueryRequest:
    """The question for the best documents in some languages."""
    wanted = models.FieldCondition(key="language", match=models.MatchAny(any=codes))
    allowed = models.Filter(must=[wanted]) if codes else None
    return models.QueryRequest(query=vector, using=space, filter=allowed, limit=k)


def main() -> None:
    """Print one table."""
    client = QdrantClient(url=sys.argv[2], timeout=60, trust_env=False)
    with Index(Path(sys.argv[1])) as index, index.snapshot() as snapshot:
        (space, *_) = index.system.spaces
        listed = islice(stored_documents(snapshot, [space]), DOCUMENTS)
        means = {space.name: dict(snapshot.mean_lengths(space.name))}
        vectors = [vectors_of(one, [space], means) for one in listed]
    vectors = [one for one in vectors if one]
    rng = np.random.default_rng(0)
    asked = [vectors[row][space.name] for row in rng.choice(len(vectors), QUERIES)]
    queries = [
        models.SparseVector(indices=one.indices[:TERMS], values=one.values[:TERMS]) for one in asked
    ]
    print("languages  batch p50 ms  one query p50 ms  found")
    for count in (2, 12, 24):
        name = f"fan-out-{count}"
        client.delete_collection(name)
        sparse = {space.name: models.SparseVectorParams()}
        client.create_collection(name, {}, sparse_vectors_config=sparse, shard_number=6)
        client.create_payload_index(name, "language", models.PayloadSchemaType.KEYWORD)
        for start in range(0, len(vectors), 500):
            points = [
                models.PointStruct(id=row, vector=one, payload={"language": f"l{row % count}"})
                for row, one in enumerate(vectors[start : start + 500], start)
            ]
            client.upsert(name, points)
        seconds: dict[str, list[float]] = {"batch": [], "one": []}
        found = wanted = 0
        for query in queries:
            each = [request(query, space.name, [f"l{n}"], DEPTH) for n in range(count)]
            every = [request(query, space.name, [], DEPTH * count)]
            hits = {}
            for kind, requests in (("batch", each), ("one", every)):
                began = time.perf_counter()
                answers = client.query_batch_points(name, requests)
                seconds[kind].append(time.perf_counter() - began)
                hits[kind] = {point.id for answer in answers for point in answer.points}
            found += len(hits["batch"] & hits["one"])
            wanted += len(hits["batch"])
        batch, one = (np.median(seconds[kind]) * 1000 for kind in ("batch", "one"))
        print(f"{count:9d}  {batch:12.1f}  {one:16.1f}  {found / max(wanted, 1):.3f}")
        client.delete_collection(name)


if __name__ == "__main__":
    main()
