"""How fast is transport compared with the paper's method and the machine's limit?

    python benchmarks/transport.py HELP PACKAGES [--kept FOLDER] [--queries 8] [--pairs 40]

HELP and PACKAGES are the folders of ``libreoffice-help`` (en and fr, de, it) and
``debian-packages`` (en and it). 5,000 documents in the other languages are ranked for English
queries: whole documents, as in the paper, then the collection's queries. Words have the vectors of
the default encoder, on their 300 main axes (the paper's have 300), weights and preparation are the
paper's. One thread for everybody, processor time, everything in one run:

- the paper's method: its footnote 6 for every pair, ``sinkhorn2(reg=.1, numItermax=50,
  method="sinkhorn_stabilized")`` on the union of the two sides' words, which are cut out of the
  sparse matrices for every pair as in the authors' code; ``emd2`` likewise; both on the pair's own
  words; gensim's ``wmdistance``. These are timed on a sample of each query's pairs and scaled;
- POT until it converges, on the pair's own words, to a marginal error of 1e-9, stabilised and in
  the log domain. The log domain never under- or overflows, so it is the reference. A pair fails
  where the result is not finite or more than 1 % away from it; failures are counted, not left out;
- the ten nearest of every query are checked against brute force: all distances without pruning.

The roofline is what a machine with this one's measured rates would need for the same products,
bytes and sweeps. ``transport_growth.py`` measures larger collections and the first search. Some
minutes, and two more the first time, when words are encoded.
"""

import argparse
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array
from threadpoolctl import threadpool_limits
from transport_bags import CACHE, DIMENSIONS, EPSILON, QUERY, SEED, Prepared, Stopwatch, prepare
from transport_peers import ENTROPIC, REFERENCE, Agreement, Peers

from dragoman.scores.transport import Corpus, WeightedBag, distances, nearest
from dragoman.scores.transport.all_distances import SWEEPS, solve_rows
from dragoman.scores.transport.cost_table import tabulate
from dragoman.systems.bags.weighting import MIN_WORDS
from dragoman.types import FloatArray, IntArray

DOCUMENTS, K = 5000, 10


def main() -> None:
    """Print a table for each collection and kind of query."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("help", type=Path)
    parser.add_argument("packages", type=Path)
    parser.add_argument("--kept", type=Path, default=CACHE)
    parser.add_argument("--queries", type=int, default=8)
    parser.add_argument("--pairs", type=int, default=40)
    asked = parser.parse_args()
    read = {asked.help: ("en", "fr", "de", "it"), asked.packages: ("en", "it")}
    with threadpool_limits(1):
        for folder, languages in read.items():
            prepared = prepare(folder, languages, asked.kept, DIMENSIONS)
            for kind, number in {"documents": 0, "queries": QUERY}.items():
                name = f"{folder.name}, {kind} as queries"
                compare(name, prepared, number, asked.queries, asked.pairs)


def compare(name: str, prepared: Prepared, asks: int, queries: int, pairs: int) -> None:
    """One collection and kind of query: times, failures, and whether the ten nearest are right."""
    rng = np.random.default_rng(SEED)
    words_of = np.diff(prepared.bags.indptr)
    others = np.flatnonzero((words_of >= MIN_WORDS) & (prepared.languages > 0))
    documents = prepared.bags[np.sort(rng.choice(others, DOCUMENTS, replace=False))]
    least_words = MIN_WORDS if asks == 0 else 1
    able = np.flatnonzero((words_of >= least_words) & (prepared.languages == asks))
    asking = rng.choice(able, queries, replace=False)
    measured = Comparison(prepared.points, documents)
    measured.warm_up(prepared.bags[[asking[0]]])
    for row in asking:
        measured.add(prepared.bags[[row]], rng.choice(DOCUMENTS, pairs, replace=False))
    print(f"\n{name}")
    measured.report()


class Comparison:
    """Times of all methods for the same queries, on one set of documents."""

    def __init__(self, points: FloatArray, documents: csr_array) -> None:
        self.points, self.corpus = points, Corpus.build(points, documents)
        self.peers, self.watch = Peers(points, documents), Stopwatch()
        self.agreements = {method: Agreement() for method in ENTROPIC}
        self.queries, self.words, self.right, self.exactly_right = 0, 0, 0, 0
        self.product, self.traffic = 0.0, 0.0  # seconds of the roofline

    def warm_up(self, bag: csr_array) -> None:
        """Compile, and touch every page once."""
        query = self._query(bag)
        for epsilon in (EPSILON, None):
            nearest(self.corpus, query, K, epsilon, threads=1)
        for distance in self.peers.methods.values():
            distance(bag, 0)

    def add(self, bag: csr_array, sample: IntArray) -> None:
        """Measure one query; the peers are timed on the ``sample`` of the documents."""
        query = self._query(bag)
        with self.watch("all"):
            everything = distances(self.corpus, query, EPSILON, threads=1)
        with self.watch("ten"):
            found = nearest(self.corpus, query, K, EPSILON, threads=1)
        with self.watch("exact ten"):
            exact = nearest(self.corpus, query, K, None, threads=1)
        values = {}
        for method, distance in self.peers.methods.items():
            with self.watch(method, DOCUMENTS / len(sample)):
                values[method] = np.array([distance(bag, int(document)) for document in sample])
        for method, agreement in self.agreements.items():
            agreement.add(values[method], values[REFERENCE])
        brute = [self.peers.exact(bag, document) for document in range(DOCUMENTS)]
        self.right += set(found.rows) == set(np.argsort(everything, kind="stable")[:K])
        self.exactly_right += set(exact.rows) == set(np.argsort(brute, kind="stable")[:K])
        product, traffic = roofline(self.corpus, query)
        self.product, self.traffic = self.product + product, self.traffic + traffic
        self.queries, self.words = self.queries + 1, self.words + len(bag.data)

    def _query(self, bag: csr_array) -> WeightedBag:
        return WeightedBag(self.points[bag.indices], bag.data)

    def report(self) -> None:
        """Print times and ratios, failures, checks and the roofline."""
        each = 1000 / self.queries
        print(
            f"{DOCUMENTS:,} documents of {self.corpus.indptr[-1] / DOCUMENTS:.0f} words,"
            f" {len(self.corpus.points):,} words in all, {self.queries} queries of"
            f" {self.words / self.queries:.0f} words"
        )
        print(f"{'processor ms a query':34s} {'':>9s} {'all':>7s} {'ten':>7s} {'exact ten':>9s}")
        for method, seconds in self.watch.seconds.items():
            ratios = [seconds / self.watch.seconds[ours] for ours in ("all", "ten", "exact ten")]
            print(f"{method:34s} {seconds * each:9.1f}" + "".join(f" {x:7.1f}" for x in ratios))
        for method, agreement in self.agreements.items():
            print(f"{method} {agreement}")
        print(
            f"ten as brute force: {self.right} of {self.queries};"
            f" exact ten: {self.exactly_right} of {self.queries}"
        )
        print(
            f"roofline, all: product {self.product * each:.1f} ms, bytes and sweeps"
            f" {self.traffic * each:.1f} ms; ours takes"
            f" {self.watch.seconds['all'] / (self.product + self.traffic):.2f} times their sum"
        )


def roofline(corpus: Corpus, query: WeightedBag) -> tuple[float, float]:
    """Seconds of the product alone, and of moving the other bytes, for ranking all documents.

    The product is BLAS on the same matrices. Bytes between cache and memory: both tables are
    written and once read by the documents' words, at the rate of a copy of 64 MB. Every sweep
    reads the document's part of the kernel once from the cache, at the rate of a 1 MB product.
    """
    points, weights = query.support()
    table = tabulate(corpus, points, weights, EPSILON, 1)
    sweeps = solve_rows(corpus, table, np.arange(len(corpus)), 1)[:, SWEEPS]
    product = least(lambda: corpus.points @ points.T)
    row = 4 * len(weights)  # bytes
    moved = 2 * row * (len(corpus.points) + corpus.indptr[-1])
    swept = row * float(sweeps @ np.diff(corpus.indptr))
    return product, moved / RATES["copy"]() + swept / RATES["cache"]()


def least(work: Callable[[], object], rounds: int = 5) -> float:
    """The shortest processor time of several rounds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def rate_of_copies() -> float:
    """Bytes read a second while 64 MB are copied."""
    source = np.ones(1 << 24, np.float32)
    target = np.empty_like(source)
    return source.nbytes / least(lambda: np.copyto(target, source))


def rate_of_cache() -> float:
    """Bytes read a second by a product of a 1 MB matrix with a vector."""
    matrix, vector = np.ones((512, 512), np.float32), np.ones(512, np.float32)
    return 50 * matrix.nbytes / least(lambda: [matrix @ vector for _ in range(50)])


RATES = {"copy": rate_of_copies, "cache": rate_of_cache}


if __name__ == "__main__":
    main()
