"""A small index in which words mislead and vectors are right, with judged queries.

A right document has three words of one kind, its query the words of another kind on the same axes.
A misleading document has the words of the query, and all other axes too.
"""

from itertools import combinations
from pathlib import Path

import dragoman
from dragoman.indexes.index import Index
from dragoman.types import Document, Judgments, Query
from toys import toy_encoder

STEMS = ("lum", "nar", "pok", "ruz", "sib", "tav", "vek", "zom")
SPOKEN, WRITTEN = ([stem + ending for stem in STEMS] for ending in ("ado", "iqu"))
AXES = {word: axis for words in (SPOKEN, WRITTEN) for axis, word in enumerate(words)}
TRIPLES = list(combinations(range(8), 3))  # 56
QUERIES = [
    Query(f"q{n:02d}", " ".join(SPOKEN[axis] for axis in triple), "en")
    for n, triple in enumerate(TRIPLES)
]
RIGHT: Judgments = {query.query_id: {f"d{query.query_id}": 1} for query in QUERIES}
MISLEADING: Judgments = {query.query_id: {f"m{query.query_id}": 1} for query in QUERIES}
# the queries in the words of the documents: everything is found with any weight
EASY = [
    Query(f"q{n:02d}", " ".join(WRITTEN[axis] for axis in triple), "en")
    for n, triple in enumerate(TRIPLES)
]


def documents() -> list[Document]:
    """For each query a right document and a misleading one."""
    right = [
        Document(f"dq{n:02d}", " ".join(WRITTEN[axis] for axis in triple), language="en")
        for n, triple in enumerate(TRIPLES)
    ]
    return right + [
        Document(
            f"mq{n:02d}",
            " ".join((SPOKEN if axis in triple else WRITTEN)[axis] for axis in range(8)),
            language="en",
        )
        for n, triple in enumerate(TRIPLES)
    ]


def tunable_index(folder: Path, **settings: object) -> Index:
    """The index of ``documents``."""
    toy_encoder("en", AXES).save(folder.parent / "encoder")
    dense = {"encoder": str(folder.parent / "encoder"), "shipped_students": False}
    return dragoman.index(
        documents(), folder, system="hybrid", settings={"dense": dense, **settings}
    )
