"""How fast is a sweep of bilda's sampler beside a plain NumPy one, on the same words in one run?

    python benchmarks/bilda.py COLLECTION [--languages en-fr] [--topics 300] [--sweeps 50]

Words are those of a collection's aligned documents. *plain NumPy* is the conditional as it is
written: one expression over all topics, a running sum and a search in it; *tuned NumPy* keeps
floats with the priors added, draws random numbers beforehand, and writes into one buffer. Both
sample a part of the documents, as a whole sweep takes minutes, from the state that the compiled
sampler has after ``--sweeps`` sweeps. With tomotopy installed, one language is sampled by it too,
on one thread. Times are processor times per word, the least of three rounds in which all take
turns, so that they hold on a busy machine; ratios are to the compiled sampler.
"""

import argparse
import time
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from dragoman.embeddings.normalization import WordTokenizer
from dragoman.systems.bilda.aligned_texts import collection_texts
from dragoman.systems.bilda.config import TopicConfig
from dragoman.systems.bilda.corpus import AlignedCorpus, build_corpus
from dragoman.systems.bilda.sampler import GibbsSampler
from dragoman.text.collection import Collection
from dragoman.text.languages import parse_pair
from dragoman.types import FloatArray, IntArray

ROUNDS = 3
SAMPLED_WORDS = 20_000  # by the NumPy samplers, in a round


class PlainSampler:
    """Whole counts, and the formula as it is written."""

    def __init__(self, sampler: GibbsSampler) -> None:
        self.corpus, self.config = sampler.corpus, sampler.config
        self.assignments = sampler.assignments.copy()
        self.words: IntArray = sampler.counts().toarray()
        self.totals = sampler.totals()
        self.rng = np.random.default_rng(0)

    def sample(self, documents: int) -> None:
        """Draw the topics of the first documents' words."""
        alpha, beta = self.config.prior, self.config.beta
        topics, languages = self.config.topics, len(self.corpus.languages)
        starts, sizes = self.corpus.starts, self.corpus.vocabulary_sizes
        for document in range(documents):
            first, last = starts[document * languages], starts[(document + 1) * languages]
            own = np.bincount(self.assignments[first:last], minlength=topics)
            for language in range(languages):
                side = document * languages + language
                for position in range(starts[side], starts[side + 1]):
                    word, topic = self.corpus.words[position], self.assignments[position]
                    own[topic] -= 1
                    self.words[word, topic] -= 1
                    self.totals[language, topic] -= 1
                    weights = (
                        (own + alpha)
                        * (self.words[word] + beta)
                        / (self.totals[language] + sizes[language] * beta)
                    )
                    sums = np.cumsum(weights)
                    topic = np.searchsorted(sums, self.rng.random() * sums[-1], side="right")
                    self.assignments[position] = topic
                    own[topic] += 1
                    self.words[word, topic] += 1
                    self.totals[language, topic] += 1


class TunedSampler:
    """Counts as floats with the priors added, and one buffer."""

    def __init__(self, sampler: GibbsSampler) -> None:
        config, corpus = sampler.config, sampler.corpus
        self.corpus, self.config = corpus, config
        self.assignments: list[int] = sampler.assignments.tolist()
        self.numbers: list[int] = corpus.words.tolist()
        self.words: FloatArray = sampler.counts().toarray() + config.beta
        self.totals: FloatArray = (
            sampler.totals() + (corpus.vocabulary_sizes * config.beta)[:, None]
        )
        self.chances = np.random.default_rng(0).random(len(corpus.words)).tolist()

    def sample(self, documents: int) -> None:
        """Draw the topics of the first documents' words."""
        alpha, topics = self.config.prior, self.config.topics
        starts, languages = self.corpus.starts.tolist(), len(self.corpus.languages)
        weights = np.empty(topics)
        for document in range(documents):
            first, last = starts[document * languages], starts[(document + 1) * languages]
            own = np.bincount(self.assignments[first:last], minlength=topics) + alpha
            for language in range(languages):
                total = self.totals[language]
                side = document * languages + language
                for position in range(starts[side], starts[side + 1]):
                    topic, row = self.assignments[position], self.words[self.numbers[position]]
                    own[topic] -= 1
                    row[topic] -= 1
                    total[topic] -= 1
                    np.multiply(own, row, out=weights)
                    np.divide(weights, total, out=weights)
                    np.cumsum(weights, out=weights)
                    chance = self.chances[position] * weights[-1]
                    topic = int(weights.searchsorted(chance, side="right"))
                    self.assignments[position] = topic
                    own[topic] += 1
                    row[topic] += 1
                    total[topic] += 1


def seconds(work: Callable[[], object]) -> float:
    """The processor time of some work."""
    started = time.process_time()
    work()
    return time.process_time() - started


def least(work: Mapping[str, Callable[[], object]], words: Mapping[str, int]) -> dict[str, float]:
    """The least seconds per word of each, over rounds in which all take turns."""
    rounds = [
        {name: seconds(one) / words[name] for name, one in work.items()} for _ in range(ROUNDS)
    ]
    return {name: min(taken[name] for taken in rounds) for name in work}


def monolingual(corpus: AlignedCorpus) -> AlignedCorpus:
    """The first language alone."""
    step = len(corpus.languages)
    inside = corpus.languages_of_words == 0
    lengths = np.diff(corpus.starts)[::step]
    starts = np.concatenate(([0], np.cumsum(lengths))).astype(np.int64)
    words = np.ascontiguousarray(corpus.words[inside])
    return AlignedCorpus(corpus.languages[:1], corpus.vocabularies[:1], words, starts)


def compare(corpus: AlignedCorpus, config: TopicConfig, sweeps: int) -> None:
    """Print the table of one corpus."""
    sampler = GibbsSampler(corpus, config)
    for _ in range(sweeps):
        sampler.sweep()
    documents = int(np.searchsorted(corpus.starts, SAMPLED_WORDS)) // len(corpus.languages)
    words = int(corpus.starts[documents * len(corpus.languages)])
    plain, tuned = PlainSampler(sampler), TunedSampler(sampler)
    work = {
        "bilda": sampler.sweep,
        "tuned NumPy": lambda: tuned.sample(documents),
        "plain NumPy": lambda: plain.sample(documents),
    }
    sizes = {"bilda": len(corpus.words), "tuned NumPy": words, "plain NumPy": words}
    _print(corpus, config, least(work, sizes))


def compare_tomotopy(corpus: AlignedCorpus, config: TopicConfig, sweeps: int) -> None:
    """Print the table of one language beside tomotopy, where it is installed."""
    try:
        import tomotopy
    except ImportError:
        print("\ntomotopy is not installed; no row")
        return
    sampler = GibbsSampler(corpus, config)
    peer = tomotopy.LDAModel(k=config.topics, alpha=config.prior, eta=config.beta, seed=1)
    peer.optim_interval = 0
    for start, end in zip(corpus.starts, corpus.starts[1:], strict=False):
        if end > start:
            peer.add_doc([corpus.vocabularies[0][word] for word in corpus.words[start:end]])
    for _ in range(sweeps):
        sampler.sweep()
    peer.train(sweeps, workers=1)
    work = {"bilda": sampler.sweep, "tomotopy": lambda: peer.train(1, workers=1)}
    _print(corpus, config, least(work, dict.fromkeys(work, len(corpus.words))))


def _print(corpus: AlignedCorpus, config: TopicConfig, times: Mapping[str, float]) -> None:
    print(
        f"\n{'-'.join(corpus.languages)}: {corpus.documents:,} documents,"
        f" {len(corpus.words):,} words, {config.topics} topics"
    )
    print(f"{'':<14}{'ns a word':>12}{'ratio':>9}")
    for name, taken in times.items():
        print(f"{name:<14}{1e9 * taken:>12,.1f}{taken / times['bilda']:>9,.1f}")


def main(arguments: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("collection")
    parser.add_argument("--languages", default="en-fr")
    parser.add_argument("--topics", type=int, default=300)
    parser.add_argument("--sweeps", type=int, default=50)
    options = parser.parse_args(arguments)
    pair = parse_pair(options.languages)
    config = TopicConfig(topics=options.topics)
    items = collection_texts(Collection.open(options.collection), pair, None)
    corpus = build_corpus(items, pair, WordTokenizer(), config.first)
    compare(corpus, config, options.sweeps)
    compare_tomotopy(monolingual(corpus), config, options.sweeps)


if __name__ == "__main__":
    main()
