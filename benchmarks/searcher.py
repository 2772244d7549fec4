"""How fast is SEARCHER's search beside scoring pairs through the model, and what is lost?

    dragoman train searcher ../shared/data/bitext/en-sw.tsv.gz --languages en-sw -o model
    python benchmarks/searcher.py model ../shared/data/bitext/en-sw.tsv.gz

Documents are ten neighbouring lines of the bitext's second column, repeated until there are as many
positions as asked for; queries are terms of the model. *through the model* encodes a document and
matches it for every query anew, timed on a sample of pairs. *BLAS* multiplies float32 positions
with the query and takes the best of every document, which is max pooling without sentences.
*nearest n* reads the documents that have one of the n words nearest to the term; recall is the
share of the exact ten best that it finds.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np

from dragoman.protocols import silent
from dragoman.systems.searcher.system import SearcherSystem
from dragoman.text.files import Faults
from dragoman.text.source import read_bitext
from dragoman.types import Document, Query

LINES = 10  # of a document
BEST = 10
NEAREST = (0, 3, 10, 30, 100)
PAIRS = 200  # that are scored through the model


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
    config = SearcherSystem.configure({"model": str(options.model)})
    empty = SearcherSystem.build([], config, silent)
    (language,) = empty.model.words.languages
    once = documents_of(options.bitext, language)
    started = time.perf_counter()
    system = SearcherSystem.build(once, config, silent)
    indexing = len(once) / (time.perf_counter() - started)
    per_document = len(system.corpus.positions) / max(len(once), 1)
    times = max(1, round(options.positions / max(len(system.corpus.positions), 1)))
    if times > 1:
        system = SearcherSystem.build(repeated(once, times), config, silent)
    words = [name.partition(":")[2] for name in system.model.terms.words]
    rng = np.random.default_rng(0)
    texts = [words[row] for row in rng.choice(len(words), options.queries, replace=False)]
    (asking,) = system.model.terms.languages
    queries = [Query(text, text, asking) for text in texts]
    print(
        f"{len(system.corpus):,} documents, {len(system.corpus.positions):,} positions of"
        f" {system.model.config.size}, {system.model.config.pooling} pooling,"
        f" {per_document:.0f} positions a document"
    )
    print(f"indexed: {indexing:,.0f} documents/s\n")
    measure(system, queries, once, options.rounds)


def measure(
    system: SearcherSystem, queries: Sequence[Query], once: Sequence[Document], rounds: int
) -> None:
    """One line for each way to answer the same queries."""
    asked = [one.vectors for one in system.encode_queries([query.content for query in queries])]
    corpus = system.corpus

    def searched(nearest: int) -> list[set[str]]:
        own = SearcherSystem(system.model, corpus, system.combination, nearest)
        return [{hit.doc_id for hit in own.search(query, BEST).hits} for query in queries]

    exact = searched(0)
    rates = {}
    for nearest in NEAREST:
        found = searched(nearest)
        shares = [len(a & b) / max(len(a), 1) for a, b in zip(exact, found, strict=True)]
        name = f"nearest {nearest}" if nearest else "exact"
        rate = len(queries) / least_seconds(partial(searched, nearest), rounds)
        rates[name] = (rate, float(np.mean(shares)))
    vectors = corpus.positions.rows(0, len(corpus.positions))
    starts = corpus.segments.sentences[corpus.segments.documents[:-1]]

    def multiplied() -> None:
        for one in asked:
            best = np.maximum.reduceat(vectors @ one[:, :-1].T, starts, axis=0)
            np.argpartition(-best.min(axis=1), BEST)

    rates["BLAS, max pooling"] = (len(queries) / least_seconds(multiplied, rounds), np.nan)
    sample = once[: max(1, PAIRS // 4)]

    def through() -> None:
        for query in queries[:4]:
            (terms,) = system.encode_queries([query.content])
            for document in sample:
                system.score(terms, system.encode_documents([document.content]))

    pairs = 4 * len(sample) / least_seconds(through, rounds)
    rates["through the model"] = (pairs / len(corpus), 1.0)
    reference = rates["exact"][0]
    print(f"{'':20s} {'queries/s':>12s} {'exact is faster':>16s} {'recall@10':>10s}")
    for name, (rate, recall) in rates.items():
        shown = "" if np.isnan(recall) else f"{recall:.3f}"
        print(f"{name:20s} {rate:12.3f} {reference / rate:15.1f}x {shown:>10s}")


if __name__ == "__main__":
    main()
