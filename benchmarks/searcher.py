"""How fast is SEARCHER's search beside scoring pairs through the model?

    dragoman train searcher ../shared/data/bitext/en-sw.tsv.gz --languages en-sw -o model
    python benchmarks/searcher.py model ../shared/data/bitext/en-sw.tsv.gz

Documents are ten neighbouring lines of the bitext's second column, repeated until there are as many
positions as wanted; queries are terms of the model. *search* is the index's own, over all
documents, and *numpy forms* the same in a process without compiled kernels. *BLAS* multiplies
float32 positions with the query and takes the best of every document, which is max pooling without
sentences. *through the model* encodes a document and matches it for every query anew, timed on a
sample of pairs.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from dragoman import compilation
from dragoman.experiments.index_cache import temporary_index
from dragoman.indexes.index import Index
from dragoman.ranking.balance import Balance
from dragoman.systems.searcher.model import SearcherModel
from dragoman.systems.searcher.scan import POSITIONS
from dragoman.systems.searcher.system import SearcherSystem
from dragoman.text.files import Faults
from dragoman.text.source import read_bitext
from dragoman.types import Document, Query

LINES = 10  # of a document
BEST = 10
SAMPLE = (4, 50)  # queries and documents that are scored through the model


def documents_of(bitext: Path, language: str) -> list[Document]:
    """Ten neighbouring lines each."""
    lines = iter([pair.target for pair in read_bitext([bitext], Faults())])
    found: list[Document] = []
    while some := list(islice(lines, LINES)):
        found.append(Document(f"{len(found):08d}", "\n".join(some), language=language))
    return found


def repeated(documents: Sequence[Document], times: int) -> list[Document]:
    """Every document so many times, under new ids."""
    return [
        Document(f"{d.doc_id}-{copy:03d}", d.text, language=d.language)
        for copy in range(times)
        for d in documents
    ]


def least_seconds(run: Callable[[], object], rounds: int) -> float:
    """The best of several rounds."""
    seconds = []
    for _ in range(rounds):
        started = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    parser.add_argument("bitext", type=Path)
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    model = SearcherModel.load(options.model)
    (language,), (query_language,) = model.words.languages, model.terms.languages
    once = documents_of(options.bitext, language)
    lengths = [len(one.words) for d in once for one in model.document_sentences(d.content)]
    documents = repeated(once, max(1, round(options.positions / sum(lengths))))
    words = [name.partition(":")[2] for name in model.terms.words]
    rows = np.random.default_rng(0).choice(len(words), options.queries, replace=False)
    queries = [Query(words[row], words[row], query_language) for row in rows]
    started = time.perf_counter()
    with temporary_index(documents, "searcher", {"model": str(options.model)}) as index:
        rate = len(documents) / (time.perf_counter() - started)
        print(
            f"{len(documents):,} documents, {len(documents) // len(once) * sum(lengths):,}"
            f" positions of {model.config.size}, {model.config.pooling} pooling;"
            f" {rate:,.0f} documents/s indexed\n"
        )
        measure(index, SearcherSystem(model), queries, once, options.rounds)


def measure(
    index: Index,
    system: SearcherSystem,
    queries: Sequence[Query],
    once: Sequence[Document],
    rounds: int,
) -> None:
    """One line for each way to answer the same queries."""
    everywhere = index.scope(balance=Balance.OFF)

    def searched() -> None:
        for query in queries:
            index.rank(query, BEST, everywhere)

    searched()  # checksums are compared once
    rates = {"search": len(queries) / least_seconds(searched, rounds)}
    compilation.disable()
    rates["search, numpy forms"] = len(queries) / least_seconds(searched, 1)
    compilation.enable()
    rates["BLAS, max pooling"] = len(queries) / least_seconds(
        multiplied(index, system, queries), rounds
    )
    few, sample = queries[: SAMPLE[0]], once[: SAMPLE[1]]

    def through() -> None:
        for query in few:
            for document in sample:
                system.score(None, query, [document])

    pairs = len(few) * len(sample) / least_seconds(through, rounds)
    rates["through the model"] = pairs / index.count()
    print(f"{'':20s} {'queries/s':>12s} {'search is faster':>17s}")
    for name, rate in rates.items():
        print(f"{name:20s} {rate:12.3f} {rates['search'] / rate:16.1f}x")


def multiplied(
    index: Index, system: SearcherSystem, queries: Sequence[Query]
) -> Callable[[], None]:
    """The products of all queries with all positions, by BLAS."""
    with index.snapshot() as snapshot:
        (reader,) = snapshot.readers
        stored = reader.segment.rows(POSITIONS)
        vectors, starts = stored.rows.astype(np.float32), stored.starts[:-1]
    model = system.model
    terms = [model.term_vectors(model.query_terms(query.content))[:, :-1] for query in queries]

    def run() -> None:
        for one in terms:
            best = np.maximum.reduceat(vectors @ one.T, starts, axis=0)
            np.argpartition(-best.min(axis=1), BEST)

    return run


if __name__ == "__main__":
    main()
