"""How fast is transport beside the paper's way, how does it grow, and how far is the machine?

    python benchmarks/transport.py HELP PACKAGES [--kept FOLDER] [--queries 8] [--largest 500000]

HELP and PACKAGES are the folders of ``libreoffice-help`` (en and fr, de, it) and
``debian-packages`` (en and it). English asks, 5,000 documents in the other languages answer: once
whole documents ask, as in the paper, once the collection's queries. Words have the vectors of the
default encoder, on their 300 main axes (``--dimensions``; the paper's have 300), weights and
preparation are the paper's. One thread for everybody, processor time, everything in one run:

- the paper's way: its footnote 6 for every pair, ``sinkhorn2(reg=.1, numItermax=50,
  method="sinkhorn_stabilized")`` on the union of the two sides' words, which are cut out of the
  sparse matrices for every pair as in the authors' code; ``emd2`` likewise; both on the pair's
  own words; gensim's ``wmdistance``. These are timed on a sample of each query's pairs and scaled;
- a converged solve by POT on the pair's own words, to a marginal error of 1e-9. Under today's POT
  footnote 6 fails numerically on some pairs; a pair fails where the result is not finite or is
  more than 1 % away from the converged one, and failures are counted, not left out;
- the ten of every query are checked against brute force: all distances without pruning.

Then the top ten of 500 to 500,000 documents, how much more each costs than the one before, and what
the first search after an installation waits for. The roofline is what a machine with this one's
measured rates would need for the same products, bytes and sweeps. Some five minutes in all, and two
more the first time, when words are encoded.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np
import ot
from gensim.models import KeyedVectors
from scipy.sparse import csr_array, load_npz, save_npz, vstack
from sklearn.metrics import euclidean_distances  # type: ignore[import-untyped]
from threadpoolctl import threadpool_limits

from dragoman.encoders.sentence_encoder import normalized
from dragoman.experiments.index_cache import temporary_index
from dragoman.scores.transport import Corpus, WeightedBag, distances, nearest
from dragoman.scores.transport.all_distances import SWEEPS, solve_rows
from dragoman.scores.transport.cost_table import tabulate
from dragoman.systems.bags.wasserstein import WassersteinSystem
from dragoman.text.collection import Collection
from dragoman.types import Document, FloatArray, IntArray, Text

EPSILON = 0.1
FAILED = 0.01  # of the converged distance
DOCUMENTS = 5000
SEED = 20180801
QUERY = -1
FIRST_SEARCH = """
import time
import numpy as np
from scipy.sparse import csr_array
from dragoman.scores.transport import Corpus, WeightedBag, nearest
points = np.eye(4, dtype=np.float32)
corpus = Corpus.build(points, csr_array(points))
began = time.process_time()
nearest(corpus, WeightedBag(points, np.ones(4, np.float32)), 1, 0.1, threads=1)
print(time.process_time() - began)
"""


@dataclass(frozen=True)
class Prepared:
    """Bags of a collection's documents and English queries over one matrix of points."""

    points: FloatArray
    bags: csr_array
    languages: IntArray  # 0 is English, QUERY an English query


@dataclass
class Stopwatch:
    """Processor seconds by name."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def __call__(self, name: str, times: float = 1.0) -> Iterator[None]:
        """Count what runs inside ``times`` over."""
        start = time.process_time()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + (time.process_time() - start) * times


def main() -> None:
    """Print the three tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("help", type=Path)
    parser.add_argument("packages", type=Path)
    parser.add_argument("--kept", type=Path, default=Path.home() / ".cache/dragoman/benchmarks")
    parser.add_argument("--queries", type=int, default=8)
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--largest", type=int, default=500_000)
    parser.add_argument("--dimensions", type=int, default=300)
    asked = parser.parse_args()
    with threadpool_limits(1):
        helped = prepare(asked.help, ("en", "fr", "de", "it"), asked.kept, asked.dimensions)
        packages = prepare(asked.packages, ("en", "it"), asked.kept, asked.dimensions)
        for name, prepared in {"libreoffice-help": helped, "debian-packages": packages}.items():
            for kind, number in {"documents": 0, "queries": QUERY}.items():
                compare(f"{name}, {kind} ask", prepared, number, asked.queries, asked.pairs)
        scale(packages, asked.largest)
    first_search()


def prepare(folder: Path, languages: Sequence[str], kept: Path, dimensions: int) -> Prepared:
    """The collection's bags, read and encoded once."""
    place = kept / folder.name / "-".join(languages)
    if not (place / "bags.npz").is_file():
        collection = Collection.open(folder)
        read = [
            (text.content, languages.index(text.language))
            for text in collection.documents()
            if text.language in languages
        ]
        read += [(text.content, QUERY) for text in collection.queries() if text.language == "en"]
        place.mkdir(parents=True, exist_ok=True)
        np.save(place / "languages.npy", [number for _, number in read])
        write([text for text, _ in read], place)
    return Prepared(
        main_axes(np.load(place / "points.npy"), dimensions),
        csr_array(load_npz(place / "bags.npz")),
        np.load(place / "languages.npy"),
    )


def write(texts: Sequence[Text], place: Path) -> None:
    """Encode every word of ``texts`` and write points and bags."""
    documents = (
        Document(f"{number:09}", text.body, language=text.language)
        for number, text in enumerate(texts)
    )
    with (
        temporary_index(documents, WassersteinSystem.name, {"shipped_students": False}) as index,
        index.snapshot() as snapshot,
    ):
        system = index.system
        assert isinstance(system, WassersteinSystem)
        collection = system.collection(snapshot)
        np.save(place / "points.npy", collection.vocabulary.points)
        save_npz(place / "bags.npz", scaled(collection.bags))


def scaled(bags: csr_array) -> csr_array:
    """The rows summing to one, in float32."""
    sums = np.asarray(bags.sum(axis=1))
    data = bags.data / np.repeat(np.where(sums > 0, sums, 1), np.diff(bags.indptr))
    return csr_array((data.astype(np.float32), bags.indices, bags.indptr), shape=bags.shape)


def main_axes(points: FloatArray, dimensions: int) -> FloatArray:
    """The points on their axes of largest spread, at length one again."""
    if dimensions >= points.shape[1]:
        return points
    _, axes = np.linalg.eigh(points.T @ points)
    return normalized(points @ axes[:, -dimensions:])


def compare(name: str, prepared: Prepared, asks: int, queries: int, pairs: int) -> None:
    """One collection: times of all ways for the same queries, and whether the ten are right."""
    rng = np.random.default_rng(SEED)
    words_of = np.diff(prepared.bags.indptr)
    others = np.flatnonzero(
        (words_of > 5) & (prepared.languages > 0)
    )  # more than 5, as in the paper
    chosen = np.sort(rng.choice(others, DOCUMENTS, replace=False))
    able = np.flatnonzero((words_of > (5 if asks == 0 else 0)) & (prepared.languages == asks))
    asking = rng.choice(able, queries, replace=False)
    documents = prepared.bags[chosen]
    corpus = Corpus.build(prepared.points, documents)
    peers = Peers(prepared.points, documents)
    watch, right, roof, words = Stopwatch(), [0, 0], [0.0, 0.0], 0
    failed: Counter[str] = Counter()
    for number, row in enumerate(asking):
        bag = prepared.bags[[row]]
        query = WeightedBag(prepared.points[bag.indices], bag.data)
        words += len(bag.data)
        if number == 0:  # compile, and touch every page once
            nearest(corpus, query, 10, EPSILON, threads=1)
            nearest(corpus, query, 10, None, threads=1)
            for distance in peers.ways.values():
                distance(bag, 0)
        with watch("all"):
            everything = distances(corpus, query, EPSILON, threads=1)
        with watch("ten"):
            found = nearest(corpus, query, 10, EPSILON, threads=1)
        with watch("exact ten"):
            exact = nearest(corpus, query, 10, None, threads=1)
        sample = rng.choice(DOCUMENTS, pairs, replace=False)
        for way, distance in peers.ways.items():
            with watch(way, DOCUMENTS / pairs):
                for document in sample:
                    distance(bag, int(document))
        for document in sample:
            failed.update(way for way, one in peers.failed(bag, int(document)).items() if one)
        right[0] += set(found.rows) == set(np.argsort(everything, kind="stable")[:10])
        brute = [peers.exact(bag, document) for document in range(DOCUMENTS)]
        right[1] += set(exact.rows) == set(np.argsort(brute, kind="stable")[:10])
        for place, seconds in enumerate(roofline(corpus, query)):
            roof[place] += seconds
    print(
        f"\n{name}: {DOCUMENTS:,} documents of {corpus.indptr[-1] / DOCUMENTS:.0f} words,"
        f" {len(corpus.points):,} words in all, {queries} queries of {words / queries:.0f} words"
    )
    print(f"{'processor ms a query':40s} {'':>9s} {'all':>7s} {'ten':>7s} {'exact ten':>9s}")
    for way, seconds in watch.seconds.items():
        ratios = [seconds / watch.seconds[ours] for ours in ("all", "ten", "exact ten")]
        numbers = "".join(f" {ratio:7.1f}" for ratio in ratios)
        print(f"{way:40s} {1000 * seconds / queries:9.1f}{numbers}")
    print(
        f"footnote 6 fails on {failed['union']} of {queries * pairs} pairs (union),"
        f" {failed['own']} (own words)"
    )
    print(f"ten as brute force: {right[0]} of {queries}; exact ten: {right[1]} of {queries}")
    print(
        f"roofline, all: product {1000 * roof[0] / queries:.1f} ms,"
        f" bytes and sweeps {1000 * roof[1] / queries:.1f} ms;"
        f" we need {watch.seconds['all'] / sum(roof):.2f} times their sum"
    )


class Peers:
    """Other ways to the distance of one pair."""

    def __init__(self, points: FloatArray, documents: csr_array) -> None:
        self.points, self.documents = points.astype(np.float64), documents.astype(np.float64)
        self.vectors = KeyedVectors(points.shape[1], len(points))
        self.vectors.add_vectors([str(row) for row in range(len(points))], points)
        self.ways: dict[str, Callable[[csr_array, int], float]] = {
            "the paper's way (POT, union)": self.paper,
            "POT, the pair's own words": self.own_words,
            "POT, converged, the pair's own words": self.converged,
            "POT emd2, union": self.paper_exact,
            "POT emd2, the pair's own words": self.exact,
            "gensim wmdistance": self.gensim,
        }

    def paper(self, query: csr_array, document: int) -> float:
        """Footnote 6, as the authors' code calls it."""
        return sinkhorn(*self.union(query, document))

    def own_words(self, query: csr_array, document: int) -> float:
        """The same without the words that weigh nothing."""
        return sinkhorn(*self.pair(query, document))

    def converged(self, query: csr_array, document: int) -> float:
        """The entropic distance itself."""
        return sinkhorn(*self.pair(query, document), iterations=100_000)

    def failed(self, query: csr_array, document: int) -> dict[str, bool]:
        """By way: whether footnote 6 gives something else than the converged distance."""
        right = self.converged(query, document)
        results = {"union": self.paper(query, document), "own": self.own_words(query, document)}
        return {
            way: not np.isfinite(value) or abs(value - right) > FAILED * right
            for way, value in results.items()
        }

    def paper_exact(self, query: csr_array, document: int) -> float:
        """Equation 1, as the authors' code calls it."""
        return float(ot.emd2(*self.union(query, document)))

    def exact(self, query: csr_array, document: int) -> float:
        """Equation 1 on the words that weigh something."""
        return float(ot.emd2(*self.pair(query, document)))

    def gensim(self, query: csr_array, document: int) -> float:
        """Every word once; the weights do not change the time."""
        return float(
            self.vectors.wmdistance(
                [str(row) for row in query.indices],
                [str(row) for row in self.documents[[document]].indices],
            )
        )

    def union(self, query: csr_array, document: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Weights over the union of the words, and all their distances."""
        words = np.union1d(self.documents[[document]].indices, query.indices)
        left = self.documents[[document]][:, words].toarray().ravel()
        right = query[:, words].toarray().ravel()
        return left / left.sum(), right / right.sum(), euclidean_distances(self.points[words])

    def pair(self, query: csr_array, document: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Weights of either side, and the distances between them."""
        other, weights = self.documents[[document]], query.data.astype(np.float64)
        costs = euclidean_distances(self.points[query.indices], self.points[other.indices])
        return weights / weights.sum(), other.data / other.data.sum(), costs


def sinkhorn(a: FloatArray, b: FloatArray, costs: FloatArray, *, iterations: int = 50) -> float:
    """The paper's call, by default with its number of iterations."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what fails is counted by the results
        return float(
            ot.sinkhorn2(
                *(a, b, costs, EPSILON),
                numItermax=iterations,
                method="sinkhorn_stabilized",
                stopThr=1e-9,
            )
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


def scale(prepared: Prepared, largest: int) -> None:
    """Time, memory and pruning for ten times as many documents, and again."""
    rng = np.random.default_rng(SEED)
    known = np.flatnonzero((np.diff(prepared.bags.indptr) > 5) & (prepared.languages >= 0))
    asking = known[prepared.languages[known] == 0]
    order = rng.permutation(known)
    queries = rng.choice(asking, 5, replace=False)
    print(f"\ntop ten of debian-packages, en and it; {len(known):,} are real, the others are real")
    print("ones of which three words in ten are left out at random; one thread")
    print(
        f"{'documents':>10s} {'words':>9s} {'ms a query':>10s} {'growth':>7s} {'us/doc':>7s}"
        f" {'MB':>7s} pruned"
    )
    before = np.nan
    sizes = [size for size in (500, 5000, 50_000, 500_000) if size <= largest]
    for size in sizes:
        bags = prepared.bags[order[:size]]
        while bags.shape[0] < size:
            bags = vstack([bags, thinned(prepared.bags[order], rng)], format="csr")[:size]
        corpus = Corpus.build(prepared.points, bags)
        watch, pruned = Stopwatch(), []
        for number, row in enumerate([queries[0], *queries]):
            bag = prepared.bags[[row]]
            query = WeightedBag(prepared.points[bag.indices], bag.data)
            with watch("first" if number == 0 else "ten"):
                found = nearest(corpus, query, 10, EPSILON, threads=1)
            pruned.append(found.report.pruned)
        seconds = watch.seconds["ten"] / len(queries)
        megabytes = sum(array.nbytes for array in islice(vars(corpus).values(), 6)) / 1e6
        print(
            f"{size:10,} {len(corpus.points):9,} {1000 * seconds:10.1f} {seconds / before:7.2f}"
            f" {1e6 * seconds / size:7.2f} {megabytes:7.0f} {np.mean(pruned[1:]):6.4f}"
        )
        before = seconds
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000
    print(f"peak of the whole run: {peak:,.0f} MB")


def first_search() -> None:
    """What a first search waits for: nothing compiled yet, then in the next process."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "NUMBA_CACHE_DIR": cache, "OMP_NUM_THREADS": "1"}
        seconds = [
            float(
                subprocess.run(
                    [sys.executable, "-c", FIRST_SEARCH],
                    env=environment,
                    check=True,
                    capture_output=True,
                    text=True,
                ).stdout
            )
            for _ in range(2)
        ]
    print(
        f"\nfirst entropic search, processor seconds: {seconds[0]:.2f} with nothing compiled,"
        f" {seconds[1]:.2f} in the next process"
    )


def thinned(bags: csr_array, rng: np.random.Generator) -> csr_array:
    """The rows without three words in ten."""
    thin = bags.copy()
    thin.data = thin.data * (rng.random(len(thin.data)) < 0.7)
    return thin


if __name__ == "__main__":
    main()
