"""How fast is a search of an index, beside what it is made of and beside others, in one run?

    dragoman index CORPUS -o INDEX --system hybrid
    python benchmarks/engine.py INDEX QUERIES.jsonl [--number 300] [--wall]

Times are medians of processor time (``--wall``: of the clock) over queries that come once each; on
every query all ways take turns, so that they share the noise of the machine and nothing is
remembered from another round. The turns come in another order every time: who comes second finds
part of the index in the processor's caches. The process is one that goes on searching, so it has
loaded all that it needs (``Index.warm_up``).

- a search against its bounds: encoding the query plus one bm25s query over the same words;
- psq alone against bm25s, which gets its words translated before the clock starts;
- dense search against faiss HNSW on the same rows: time, recall@10 and recall@50 against all rows;
- queries a second by eight threads against one.
"""

import argparse
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

import bm25s
import faiss
import numpy as np
from numpy.typing import NDArray

import dragoman
from dragoman.indexes.filters import Filter
from dragoman.indexes.index import Index
from dragoman.indexes.maintenance.export import live_documents
from dragoman.indexes.search.nearest import nearest
from dragoman.lexicons.analysis import LexicalAnalyzer
from dragoman.lexicons.word_translation import WordTranslator
from dragoman.ranking.balance import Balance
from dragoman.systems.hybrid.system import Hybrid
from dragoman.text.files import Faults
from dragoman.text.source import read_queries
from dragoman.types import Query

K, DEEP = 10, 50
WARM = 20  # queries before the clock starts
THREADS = 8
LINKS, BUILD_WIDTH, WIDTHS = 32, 200, (64, 128, 192, 256, 320, 384, 448, 512, 768, 1024)
REACHED = 0.99  # recall@10 at which HNSW is timed

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
        self._reader = LexicalAnalyzer(system.tables)
        contents = [document.content for document in live_documents(index)]
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
    reader, translator = LexicalAnalyzer(system.tables), WordTranslator(system.tables)
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


def forgetting(system: Hybrid, way: Callable[[Query], object]) -> Callable[[Query], object]:
    """The way without the query vectors that others have just left."""
    dense: Any = system.dense

    def ask(query: Query) -> object:
        dense._vector.cache_clear()
        return way(query)

    return ask


def compare_searches(index: Index, system: Hybrid, queries: Sequence[Query], clock: Clock) -> None:
    """Hybrid and psq against bm25s and the encoder."""
    calibrated, unbalanced = index.scope(), index.scope(balance=Balance.OFF)
    words = translated(system, queries, sorted(index.languages))
    peer = Bm25s(index, system)
    unboosted = Hybrid(replace(system.config, boost_hits=0), *system.parts)
    without_maxsim = Hybrid(replace(system.config, maxsim_weight=0.0), *system.parts)
    psq, dense = system.psq, system.dense

    def searching(part: Any, scope: Any) -> Callable[[Query], object]:  # noqa: ANN401
        def search(query: Query) -> object:
            with index.snapshot() as snapshot:
                return part.search(snapshot, query, K, scope)

        return forgetting(system, search)

    ways: Ways = {
        "encode": forgetting(system, lambda query: dense.query_vector(query.content)),
        "numpy": peer.way(words, "numpy"),
        "numba": peer.way(words, "numba"),
        "hybrid": searching(system, calibrated),
        "no boost": searching(unboosted, calibrated),
        "no MaxSim": searching(without_maxsim, calibrated),
        "psq": searching(psq, unbalanced),
        "psq calibrated": searching(psq, calibrated),
    }
    times = medians(ways, queries, clock)
    encode, numpy, numba = (times[name] for name in ("encode", "numpy", "numba"))
    rows = [
        ("hybrid", times["hybrid"], "encode + bm25s (numba)", encode + numba),
        ("hybrid", times["hybrid"], "encode + bm25s (numpy)", encode + numpy),
        ("hybrid without boost", times["no boost"], "encode + bm25s (numba)", encode + numba),
        ("hybrid", times["hybrid"], "without word MaxSim", times["no MaxSim"]),
        ("psq, one list", times["psq"], "bm25s (numba)", numba),
        ("psq, one list", times["psq"], "bm25s (numpy)", numpy),
        ("psq, balanced by language", times["psq calibrated"], "bm25s (numba)", numba),
    ]
    table("a search", rows)


def all_rows(index: Index) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """All live rows, and the number of the document of each."""
    with index.snapshot() as snapshot:
        rows, owners = [], []
        for reader in snapshot.readers:
            matrix = reader.segment.rows("dense")
            mine = np.repeat(np.arange(len(reader.segment)), np.diff(matrix.starts))
            live = ~reader.deleted[mine] if len(reader.deleted) else slice(None)
            rows.append(matrix.rows[live].astype(np.float32))
            owners.append(mine[live] + reader.base)
    return np.concatenate(rows), np.concatenate(owners)


def recall(
    ways: Mapping[str, Callable[[Query, int], Sequence[int]]],
    queries: Sequence[Query],
    exact: Mapping[str, NDArray[np.float32]],
    k: int,
) -> dict[str, float]:
    """The share of the ``k`` nearest documents that each way finds; equally near ones count."""
    found: dict[str, list[float]] = {name: [] for name in ways}
    for query in queries:
        scores = exact[query.query_id]
        limit = np.sort(scores)[-k] - 1e-6
        for name, way in ways.items():
            found[name].append(float((scores[list(way(query, k))] >= limit).sum()) / k)
    return {name: float(np.mean(each)) for name, each in found.items()}


def compare_dense(index: Index, system: Hybrid, queries: Sequence[Query], clock: Clock) -> None:
    """Dense search and faiss HNSW on the same rows: time and recall against all rows."""
    rows, owners = all_rows(index)
    vectors = {query.query_id: system.dense.query_vector(query.content) for query in queries}
    graph: Any = faiss.IndexHNSWFlat(rows.shape[1], LINKS, faiss.METRIC_INNER_PRODUCT)
    graph.hnsw.efConstruction = BUILD_WIDTH
    graph.add(rows)
    faiss.omp_set_num_threads(1)
    exact = {}
    for name, vector in vectors.items():
        exact[name] = np.full(int(owners.max()) + 1, -np.inf, np.float32)
        np.maximum.at(exact[name], owners, rows @ vector)

    def by_graph(query: Query, k: int) -> list[int]:
        _, near = graph.search(vectors[query.query_id][None], 4 * k)
        return list(dict.fromkeys(owners[near[0]].tolist()))[:k]

    def by_index(query: Query, k: int) -> list[int]:
        with index.snapshot() as snapshot:
            selection = snapshot.select(Filter())
            found = nearest(snapshot, "dense", vectors[query.query_id], k, selection)
        return [int(number) for number in found.numbers]

    for width in WIDTHS:
        graph.hnsw.efSearch = width
        if recall({"graph": by_graph}, queries, exact, K)["graph"] >= REACHED:
            break
    for k in (K, DEEP):
        ways: Ways = {
            "index": lambda query, k=k: by_index(query, k),  # type: ignore[misc]
            "graph": lambda query, k=k: by_graph(query, k),  # type: ignore[misc]
        }
        times = medians(ways, queries, clock)
        peer = f"faiss HNSW, ef {graph.hnsw.efSearch}"
        title = f"dense, {len(rows):,} rows"
        table(title, [(f"index, {k} best", times["index"], peer, times["graph"])])
        found = recall({"index": by_index, "graph": by_graph}, queries, exact, k)
        print(
            f"  recall@{k} against all rows: index {found['index']:.4f}, HNSW {found['graph']:.4f}"
        )


def compare_threads(index: Index, system: Hybrid, queries: Sequence[Query]) -> None:
    """Queries a second by one thread and by several, by the clock, best of three rounds."""
    scope = index.scope()

    def rate(threads: int) -> float:
        best = 0.0
        for _ in range(3):
            system.dense._vector.cache_clear()  # type: ignore[attr-defined]
            started = time.perf_counter()
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(lambda query: index.rank(query, K, scope), queries))
            best = max(best, len(queries) / (time.perf_counter() - started))
        return best

    one, many = rate(1), rate(THREADS)
    print(
        f"\nqueries a second: 1 thread {one:.0f}, {THREADS} threads {many:.0f},"
        f" ratio {many / one:.2f}"
    )


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
        compare_threads(index, system, queries)
        compare_dense(index, system, queries, clock)


if __name__ == "__main__":
    main()
