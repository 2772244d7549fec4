"""How does the search for the ten nearest by transport grow, and what does a first search wait for?

    python benchmarks/transport_growth.py PACKAGES [--kept FOLDER] [--largest 500000]

PACKAGES is the folder of ``debian-packages`` (en and it). Time, memory and pruning of the ten
nearest among 500 to 500,000 documents, how much more each costs than the one before, and what the
first search after an installation waits for. One thread, processor time.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from itertools import islice
from pathlib import Path

import numpy as np
from scipy.sparse import csr_array, vstack
from threadpoolctl import threadpool_limits
from transport_bags import CACHE, DIMENSIONS, EPSILON, SEED, Prepared, Stopwatch, prepare

from dragoman.scores.transport import Corpus, WeightedBag, nearest

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


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", type=Path)
    parser.add_argument("--kept", type=Path, default=CACHE)
    parser.add_argument("--largest", type=int, default=500_000)
    asked = parser.parse_args()
    with threadpool_limits(1):
        scale(prepare(asked.packages, ("en", "it"), asked.kept, DIMENSIONS), asked.largest)
    first_search()


def scale(prepared: Prepared, largest: int) -> None:
    """Time, memory and pruning for ten times as many documents, and again."""
    rng = np.random.default_rng(SEED)
    known = np.flatnonzero((np.diff(prepared.bags.indptr) > 5) & (prepared.languages >= 0))
    asking = known[prepared.languages[known] == 0]
    order = rng.permutation(known)
    queries = rng.choice(asking, 5, replace=False)
    print(
        f"\nten nearest of debian-packages, en and it; {len(known):,} are real, the others are real"
    )
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
