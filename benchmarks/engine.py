"""How fast is a search of an index, beside what it is made of and beside others, in one run?

    dragoman index CORPUS -o INDEX --system hybrid
    python benchmarks/engine.py INDEX QUERIES.jsonl [--number 300]

Times are medians of processor time (``--wall``: of the clock) over queries that come once each; on
every query all ways take turns, so that they share the noise of the machine and nothing is
remembered from another round. The turns come in another order every time: who asks second finds
part of the index in the processor's caches. The process is one that goes on asking, so it has
loaded all that it needs (``Index.warm_up``).

- a search against its bounds: encoding the query plus one bm25s query over the same words;
- psq alone against bm25s, which gets its words translated before the clock starts;
- our layer: the same search with the engine's calls made bare; words are looked up in arrays
  instead (``indexes.mirror``);
- the graph: recall@10 against all vectors, and faiss HNSW on the same vectors.
"""

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import bm25s
import faiss
import numpy as np
import qdrant_edge as qe
from numpy.typing import NDArray

import dragoman
from dragoman.indexes.engine import Index
from dragoman.indexes.filters import Filter
from dragoman.indexes.points import BUILD_WIDTH, LINKS, engine_vector
from dragoman.indexes.reading import SEARCH_WIDTH
from dragoman.indexes.spaces import Vector
from dragoman.lexicons.candidates import WordTranslator
from dragoman.lexicons.reading import Reader
from dragoman.ranking.balance import Balance
from dragoman.systems.hybrid.system import Hybrid
from dragoman.text.files import Faults
from dragoman.text.source import read_queries
from dragoman.types import Hit, Query

K, DEEP = 10, 50
WARM = 20  # queries before the clock starts

Ways = Mapping[str, Callable[[Query], object]]


Clock = Callable[[], float]


def medians(ways: Ways, queries: Sequence[Query], clock: Clock) -> dict[str, float]:
    """Milliseconds per query by each way; the first queries only warm up."""
    spent: dict[str, list[float]] = {name: [] for name in ways}
    rng = np.random.default_rng(0)
    for query in queries:
        for name in rng.permutation([*ways]).tolist():
            started = clock()
            ways[name](query)
            spent[name].append(clock() - started)
    return {name: 1000 * float(np.median(times[WARM:])) for name, times in spent.items()}


def table(title: str, rows: Sequence[tuple[str, float, str, float]]) -> None:
    """Print what was measured, against what, and the ratio."""
    print(f"\n{title}")
    for mine, milliseconds, theirs, against in rows:
        print(
            f"  {mine:34}{milliseconds:8.3f} ms   {theirs:34}{against:8.3f} ms"
            f"   ratio {milliseconds / against:5.2f}",
            flush=True,
        )


class Bm25s:
    """bm25s over the words of all documents; a query carries its words in every language."""

    def __init__(self, index: Index, system: Hybrid) -> None:
        self._reader = Reader(system.tables)
        contents = [record.document.content for record in index.store.records([])]
        make: Any = bm25s.BM25  # the library has no types
        self._retriever = make(k1=1.2, b=0.75, method="lucene")
        words = [self._reader(content.body, content.language) for content in contents]
        self._retriever.index(words, show_progress=False)

    def way(self, asked: Mapping[str, list[str]], backend: str) -> Callable[[Query], object]:
        """One query by one of its scorers; the text is read all the same, as psq has to."""
        retriever = copy(self._retriever)
        retriever.backend = backend

        def ask(query: Query) -> None:
            self._reader(query.text, query.language)
            retriever.retrieve([asked[query.query_id]], k=K, show_progress=False, n_threads=0)

        return ask


def translated(
    system: Hybrid, queries: Sequence[Query], languages: Sequence[str]
) -> dict[str, list[str]]:
    """The words of each query, and the likeliest translation of each into every language."""
    reader, translator = Reader(system.tables), WordTranslator(system.tables)
    asked = {}
    for query in queries:
        words = reader(query.text, query.language)
        asked[query.query_id] = [
            best
            for code in languages
            for word in words
            for best in [likeliest(translator, word, query.language, code)]
        ]
    return asked


def likeliest(translator: WordTranslator, word: str, source: str, target: str) -> str:
    """The best translation by the table alone; the word itself where it has none."""
    if source == target:
        return word
    candidates = translator._candidates(word, source, target)
    return max(candidates, key=lambda pair: pair[1])[0] if candidates else word


def bare(
    index: Index, space: str, vectors: Mapping[str, Vector], k: int
) -> Callable[[Query], object]:
    """The engine's own call for the ``k`` nearest: request, answer, points with their scores."""
    store: Any = index.store
    shard: qe.EdgeShard = store._shard

    def ask(query: Query) -> list[tuple[object, float]]:
        request = qe.QueryRequest(
            limit=k,
            query=qe.Query.Nearest(engine_vector(vectors[query.query_id]), using=space),
            params=qe.SearchParams(
                exact=False,
                hnsw_ef=max(SEARCH_WIDTH, k),
                quantization=qe.QuantizationSearchParams(rescore=True),
            ),
            with_payload=False,
        )
        return [(point.id, point.score) for point in shard.query(request)]

    return ask


def forgetting(system: Hybrid, way: Callable[[Query], object]) -> Callable[[Query], object]:
    """The way without what others have just left in the caches: the question's vectors, names."""
    dense: Any = system.dense
    psq: Any = system.psq

    def ask(query: Query) -> object:
        dense._question.cache_clear()
        psq._asked.cache_clear()
        for names in psq._postings.names.values():
            names._answers.clear()
        return way(query)

    return ask


def compare_searches(index: Index, system: Hybrid, queries: Sequence[Query], clock: Clock) -> None:
    """Hybrid and psq against bm25s and the encoder."""
    calibrated, unbalanced = index.scope(), index.scope(balance=Balance.OFF)
    asked = translated(system, queries, sorted(index.languages))
    peer = Bm25s(index, system)
    echoing = system.config
    plain = Hybrid(replace(echoing, echo_hits=0), system.psq, system.dense)
    ways: Ways = {
        "encode": lambda query: system.dense._family.encode([query.content]),  # type: ignore[attr-defined]
        "numpy": peer.way(asked, "numpy"),
        "numba": peer.way(asked, "numba"),
        "hybrid": forgetting(system, lambda q: system.search(index.store, q, K, calibrated)),
        "no echo": forgetting(system, lambda q: plain.search(index.store, q, K, calibrated)),
        "psq": forgetting(system, lambda q: system.psq.search(index.store, q, K, unbalanced)),
        "psq calibrated": forgetting(
            system, lambda q: system.psq.search(index.store, q, K, calibrated)
        ),
    }
    times = medians(ways, queries, clock)
    encode, numpy, numba = (times[name] for name in ("encode", "numpy", "numba"))
    rows = [
        ("hybrid", times["hybrid"], "encode + bm25s (numpy)", encode + numpy),
        ("hybrid", times["hybrid"], "encode + bm25s (numba)", encode + numba),
        ("hybrid without echoes", times["no echo"], "encode + bm25s (numpy)", encode + numpy),
        ("hybrid without echoes", times["no echo"], "encode + bm25s (numba)", encode + numba),
        ("psq, one list", times["psq"], "bm25s (numpy)", numpy),
        ("psq, one list", times["psq"], "bm25s (numba)", numba),
        ("psq, balanced by language", times["psq calibrated"], "bm25s (numpy)", numpy),
    ]
    table("a search", rows)


def compare_layers(index: Index, system: Hybrid, queries: Sequence[Query], clock: Clock) -> None:
    """The store's calls through our layer and bare."""
    vectors = {query.query_id: system.dense.question(query.content) for query in queries}
    everything = Filter()
    sparse = {query.query_id: system.psq.query_vector(query, everything) for query in queries}
    spaces: dict[str, Mapping[str, Vector]] = {"dense": vectors, "psq": sparse}
    ways: dict[str, Callable[[Query], object]] = {}
    for space, asked in spaces.items():
        ways[space] = partial(through, index, space, asked)
        ways[f"{space}, bare"] = bare(index, space, asked, DEEP)
    times = medians(ways, queries, clock)
    rows = [
        (f"{space}, {DEEP} best", times[space], "the engine's call, bare", times[f"{space}, bare"])
        for space in spaces
    ]
    ours, theirs = sum(times[space] for space in spaces), sum(times[f"{s}, bare"] for s in spaces)
    table("our layer", [*rows, ("both", ours, "the engine's calls, bare", theirs)])


def through(index: Index, space: str, vectors: Mapping[str, Vector], query: Query) -> list[Hit]:
    """The same by our store: with names for points, in an order that does not depend on it."""
    return index.store.nearest(space, vectors[query.query_id], DEEP)


def passages(index: Index) -> tuple[NDArray[np.float32], NDArray[np.int64], list[str]]:
    """All passage vectors, the document of each, the documents' ids."""
    rows: list[NDArray[np.float32]] = []
    owners: list[int] = []
    doc_ids: list[str] = []
    for record in index.store.records(["dense"]):
        vectors = np.asarray(record.vectors["dense"], dtype=np.float32)
        rows.append(vectors)
        owners += [len(doc_ids)] * len(vectors)
        doc_ids.append(record.document.doc_id)
    return np.concatenate(rows), np.array(owners), doc_ids


def compare_graphs(index: Index, system: Hybrid, queries: Sequence[Query], clock: Clock) -> None:
    """The store's graph and faiss's on the same vectors: time and recall."""
    rows, owners, doc_ids = passages(index)
    questions = {query.query_id: system.dense.question(query.content) for query in queries}
    graph: Any = faiss.IndexHNSWFlat(rows.shape[1], LINKS, faiss.METRIC_INNER_PRODUCT)
    graph.hnsw.efConstruction = BUILD_WIDTH
    started = time.perf_counter()
    graph.add(rows)
    graph.hnsw.efSearch = SEARCH_WIDTH
    built = time.perf_counter() - started
    faiss.omp_set_num_threads(1)

    def by_faiss(query: Query) -> list[str]:
        _, found = graph.search(questions[query.query_id][None], 4 * K)
        best = dict.fromkeys(owners[found[0]].tolist())  # a document may have several passages
        return [doc_ids[number] for number in best][:K]

    def by_store(query: Query) -> list[str]:
        return [hit.doc_id for hit in index.store.nearest("dense", questions[query.query_id], K)]

    times = medians({"store": by_store, "faiss": by_faiss}, queries, clock)
    table("the graph", [("store, 10 best", times["store"], "faiss HNSW, 10 best", times["faiss"])])
    recalls: dict[str, list[float]] = {"store": [], "faiss": []}
    for query in queries:
        scores = np.full(len(doc_ids), -np.inf, dtype=np.float32)
        np.maximum.at(scores, owners, rows @ questions[query.query_id])
        limit = np.sort(scores)[-K] - 1e-3  # vectors are kept in half precision
        exact = {doc_ids[number] for number in np.flatnonzero(scores >= limit)}
        for name, way in {"store": by_store, "faiss": by_faiss}.items():
            recalls[name].append(len(exact & set(way(query))) / K)
    said = ", ".join(f"{name} {np.mean(each):.4f}" for name, each in recalls.items())
    print(f"  recall@10 against all vectors: {said} (faiss built in {built:.0f} s)")


def main() -> None:
    """Read the options and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("queries", type=str)
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--wall", action="store_true", help="for a machine that is idle")
    options = parser.parse_args()
    clock = time.perf_counter if options.wall else time.process_time
    every = list(read_queries(options.queries, Faults()))
    queries = every[:: max(1, len(every) // options.number)][: options.number]
    with dragoman.open(options.index) as index:
        system = index.system
        assert isinstance(system, Hybrid), "the index has to be hybrid"
        index.warm_up()
        counts = ", ".join(f"{code} {n:,}" for code, n in index.languages.items())
        print(f"{index.count():,} documents ({counts}), {len(queries)} queries, k = {K}")
        compare_searches(index, system, queries, clock)
        compare_layers(index, system, queries, clock)
        compare_graphs(index, system, queries, clock)


if __name__ == "__main__":
    main()
