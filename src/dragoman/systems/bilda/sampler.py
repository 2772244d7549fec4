"""Collapsed Gibbs sampling over an aligned corpus, sweep by sweep -> a topic model.

Every document has one topic distribution for all its languages, every topic one distribution over
the words of each language (BiLDA; Vulic et al. 2015). The first sweep samples the topic of a word
given the words before it, later sweeps given all others. Samples are taken after the burn-in.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from dragoman.systems.bilda import kernels
from dragoman.systems.bilda.config import TopicConfig
from dragoman.systems.bilda.corpus import AlignedCorpus
from dragoman.systems.bilda.model import TopicModel
from dragoman.types import IntArray


@dataclass(frozen=True, slots=True)
class Sweep:
    """The result of one Gibbs sweep."""

    number: int  # from 1
    perplexity: float  # of each word given all others; falls until the chain has converged
    sampled: bool  # whether a sample was taken after it


class GibbsSampler:
    """The state of the chain: the topic of every running word, and the sum of samples so far."""

    def __init__(
        self,
        corpus: AlignedCorpus,
        config: TopicConfig,
        assignments: IntArray | None = None,
        sweeps_done: int = 0,
        sampled_counts: csr_array | None = None,
        perplexity: float | None = None,
    ) -> None:
        self.corpus, self.config = corpus, config
        self.sweeps_done, self.perplexity = sweeps_done, perplexity  # of the last sweep
        shape = (int(corpus.vocabulary_sizes.sum()), config.topics)
        empty = csr_array(shape, dtype=np.int64)
        self.sampled_counts = empty if sampled_counts is None else sampled_counts
        unassigned = np.full(len(corpus.words), kernels.UNASSIGNED, dtype=np.int32)
        self.assignments = unassigned if assignments is None else assignments
        self._ends, self._entries = self._build_entries()

    @cached_property
    def _begins(self) -> IntArray:
        """The start of each word's entries; a word has at most as many topics as occurrences."""
        words = int(self.corpus.vocabulary_sizes.sum())
        room = np.minimum(np.bincount(self.corpus.words, minlength=words), self.config.topics)
        return np.concatenate(([0], np.cumsum(room))).astype(np.int64)

    def _build_entries(self) -> tuple[IntArray, IntArray]:
        """The end of each word's entries, and the entries in descending order."""
        entries = np.zeros(int(self._begins[-1]), dtype=np.int64)
        ends = self._begins[:-1].copy()
        counts = self.counts()
        sizes = np.diff(counts.indptr)
        words = np.repeat(np.arange(len(sizes)), sizes)
        packed = counts.data * kernels.ONE_COUNT + counts.indices
        order = np.lexsort((-packed, words))
        positions = np.arange(len(packed)) - np.repeat(counts.indptr[:-1], sizes)
        entries[ends[words] + positions] = packed[order]
        return ends + sizes, entries

    def counts(self) -> csr_array:
        """The current counts n_wk, (words of all languages, topics)."""
        assigned = self.assignments != kernels.UNASSIGNED
        cells = (self.corpus.words[assigned], self.assignments[assigned])
        ones = np.ones(len(cells[0]), dtype=np.int64)
        counts = csr_array((ones, cells), shape=self.sampled_counts.shape)
        counts.sum_duplicates()
        return counts

    def totals(self) -> IntArray:
        """The current counts n_k, (languages, topics)."""
        return totals_by_language(self.counts(), self.corpus.vocabulary_sizes)

    def sweep(self) -> Sweep:
        """Sample the topic of every running word once."""
        likelihood = kernels.sweep(
            self.corpus.words,
            self.corpus.starts,
            self.assignments,
            self._begins,
            self._ends,
            self._entries,
            self._totals,
            self.corpus.vocabulary_sizes,
            self.config.prior,
            self.config.beta,
            _key(self.config.seed, self.sweeps_done),
        )
        self.sweeps_done += 1
        sampled = self.config.schedule.takes_sample(self.sweeps_done)
        if sampled:
            self.sampled_counts = self.sampled_counts + self.counts()
        self.perplexity = float(np.exp(-likelihood / len(self.corpus.words)))
        return Sweep(self.sweeps_done, self.perplexity, sampled)

    @cached_property
    def _totals(self) -> IntArray:
        return self.totals()

    def sweeps(self) -> Iterator[Sweep]:
        """Run the remaining sweeps; saving and reporting are the caller's."""
        while self.sweeps_done < self.config.schedule.sweeps:
            yield self.sweep()

    def model(self) -> TopicModel:
        """The topic model of the samples so far; at least one must have been taken."""
        samples = sum(map(self.config.schedule.takes_sample, range(1, self.sweeps_done + 1)))
        assert samples, "a model needs a sample"
        return TopicModel(
            self.config,
            self.corpus.languages,
            self.corpus.vocabularies,
            self.sampled_counts,
            totals_by_language(self.sampled_counts, self.corpus.vocabulary_sizes),
            samples,
            {
                "documents": self.corpus.documents,
                "running_words": len(self.corpus.words),
                "data": self.corpus.digest,
                "perplexity": self.perplexity,
            },
        )


def totals_by_language(counts: csr_array, sizes: IntArray) -> IntArray:
    """The column sums over the rows of each language, (languages, topics)."""
    ends = np.cumsum(sizes)
    parts = [counts[end - size : end].sum(axis=0) for end, size in zip(ends, sizes, strict=True)]
    return np.array(parts, dtype=np.int64)


def _key(seed: int, sweeps_done: int) -> np.uint64:
    digest = hashlib.blake2b(f"{seed}\t{sweeps_done}".encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))
