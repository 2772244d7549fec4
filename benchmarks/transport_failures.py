"""How often does the paper's call of POT fail, and what does a converged solve cost beside it?

    python benchmarks/transport_failures.py HELP VECTORS --language fr [--pairs 400]

HELP is the folder of ``libreoffice-help``, VECTORS one that ``dragoman learn embeddings`` wrote for
English and the other language. Whole English pages with pages of the other language, drawn at
random: footnote 6 of Balikas et al. 2018 on the union of their words and on each side's own, POT
until it converges, and ours. The reference is POT in the log domain. Processor time, one thread.
"""

import argparse
from pathlib import Path

import numpy as np
from threadpoolctl import threadpool_limits
from transport_bags import EPSILON, SEED, Prepared, Stopwatch, read_bags
from transport_peers import ENTROPIC, REFERENCE, Agreement, Peers

from dragoman.scores.transport import Corpus, WeightedBag, distances
from dragoman.systems.bags.weighting import MIN_WORDS

DOCUMENTS_PER_QUERY = 10
OURS = "dragoman, all documents"


def main() -> None:
    """Print times, ratios and failures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("help", type=Path)
    parser.add_argument("vectors", type=Path)
    parser.add_argument("--language", default="fr")
    parser.add_argument("--pairs", type=int, default=400)
    asked = parser.parse_args()
    languages = ("en", asked.language)
    settings = {"vectors": [str(asked.vectors / code) for code in languages]}
    with threadpool_limits(1):
        compare(read_bags(asked.help, languages, settings), asked.pairs)


def compare(prepared: Prepared, pairs: int) -> None:
    """The methods on the same pairs."""
    rng = np.random.default_rng(SEED)
    long_enough = np.diff(prepared.bags.indptr) >= MIN_WORDS
    english, others = (np.flatnonzero(long_enough & (prepared.languages == n)) for n in (0, 1))
    documents = prepared.bags[others]
    peers, corpus = Peers(prepared.points, documents), Corpus.build(prepared.points, documents)
    watch, agreements = Stopwatch(), {method: Agreement() for method in (*ENTROPIC, OURS)}
    for number, row in enumerate(rng.choice(english, 1 + pairs // DOCUMENTS_PER_QUERY)):
        bag = prepared.bags[[row]]
        query = WeightedBag(prepared.points[bag.indices], bag.data)
        if number == 0:  # compile
            distances(corpus, query, EPSILON, threads=1)
            continue
        sample = rng.choice(len(others), DOCUMENTS_PER_QUERY, replace=False)
        values = {}
        for method in (*ENTROPIC, REFERENCE):
            with watch(method):
                values[method] = np.array([peers.methods[method](bag, int(d)) for d in sample])
        with watch(OURS, DOCUMENTS_PER_QUERY / len(others)):
            values[OURS] = distances(corpus, query, EPSILON, threads=1)[sample]
        for method, agreement in agreements.items():
            agreement.add(values[method], values[REFERENCE])
    print(f"{len(others):,} documents of {np.mean(np.diff(documents.indptr)):.0f} words")
    for method, seconds in watch.seconds.items():
        ratio = seconds / watch.seconds[OURS]
        print(f"{method:34s} {1e6 * seconds / pairs:9.1f} us a pair, {ratio:7.1f} times ours")
    for method, agreement in agreements.items():
        print(f"{method} {agreement}")


if __name__ == "__main__":
    main()
