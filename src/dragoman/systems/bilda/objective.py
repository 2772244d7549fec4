"""How topics are learnt: collapsed Gibbs sampling over aligned documents, sweep by sweep.

Every document has one distribution over topics for all its languages, every topic one over the
words of each language (BiLDA; Vulic et al. 2015). The first sweep draws each word given those
before it; from then on each is drawn given all others. Samples are counted after the burn-in.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.sparse import csr_array

from dragoman.systems.bilda.config import TopicConfig
from dragoman.systems.bilda.corpus import AlignedCorpus
from dragoman.systems.bilda.kernels import TALLY, UNDRAWN, sweep
from dragoman.systems.bilda.model import TopicModel
from dragoman.types import IntArray


@dataclass(frozen=True, slots=True)
class Sweep:
    """What one pass over all words came to."""

    number: int  # from 1
    perplexity: float  # of each word given all others; falls while topics are found
    sampled: bool


class Chain:
    """A corpus, the topics its words have now, and what was sampled of them so far."""

    def __init__(
        self,
        corpus: AlignedCorpus,
        config: TopicConfig,
        drawn: IntArray | None = None,
        done: int = 0,
        sampled: csr_array | None = None,
        perplexity: float | None = None,
    ) -> None:
        self.corpus, self.config = corpus, config
        self.done, self.perplexity = done, perplexity  # of the last sweep
        shape = (int(corpus.sizes.sum()), config.topics)
        self.sampled = csr_array(shape, dtype=np.int64) if sampled is None else sampled
        undrawn = np.full(len(corpus.words), UNDRAWN, dtype=np.int32)
        self.drawn = undrawn if drawn is None else drawn
        self._ends, self._entries = self._lists()

    @cached_property
    def _begins(self) -> IntArray:
        """Where each word's entries begin; a word has no more topics than occurrences."""
        words = int(self.corpus.sizes.sum())
        room = np.minimum(np.bincount(self.corpus.words, minlength=words), self.config.topics)
        return np.concatenate(([0], np.cumsum(room))).astype(np.int64)

    def _lists(self) -> tuple[IntArray, IntArray]:
        """The entries of every word, falling, and where they end."""
        entries = np.zeros(int(self._begins[-1]), dtype=np.int64)
        ends = self._begins[:-1].copy()
        counts = self.counts()
        sizes = np.diff(counts.indptr)
        words = np.repeat(np.arange(len(sizes)), sizes)
        packed = counts.data * TALLY + counts.indices
        order = np.lexsort((-packed, words))
        places = np.arange(len(packed)) - np.repeat(counts.indptr[:-1], sizes)
        entries[ends[words] + places] = packed[order]
        return ends + sizes, entries

    def counts(self) -> csr_array:
        """How often each word has each topic now; (words of all languages, topics)."""
        there = self.drawn != UNDRAWN
        places = (self.corpus.words[there], self.drawn[there])
        ones = np.ones(len(places[0]), dtype=np.int64)
        found = csr_array((ones, places), shape=self.sampled.shape)
        found.sum_duplicates()
        return found

    def totals(self) -> IntArray:
        """How many words of each language have each topic now; (languages, topics)."""
        return totals_by_language(self.counts(), self.corpus.sizes)

    def advance(self) -> Sweep:
        """Draw every word's topic once more."""
        likelihood = sweep(
            self.corpus.words,
            self.corpus.starts,
            self.drawn,
            self._begins,
            self._ends,
            self._entries,
            self._totals,
            self.corpus.sizes,
            self.config.prior,
            self.config.beta,
            _key(self.config.seed, self.done),
        )
        self.done += 1
        sampled = self.config.schedule.samples(self.done)
        if sampled:
            self.sampled = self.sampled + self.counts()
        self.perplexity = float(np.exp(-likelihood / len(self.corpus.words)))
        return Sweep(self.done, self.perplexity, sampled)

    @cached_property
    def _totals(self) -> IntArray:
        return self.totals()

    def sweeps(self) -> Iterator[Sweep]:
        """All that is left to do, one sweep at a time; saving and telling is the caller's."""
        while self.done < self.config.schedule.sweeps:
            yield self.advance()

    def model(self) -> TopicModel:
        """What the samples say so far; at least one must have been taken."""
        samples = sum(map(self.config.schedule.samples, range(1, self.done + 1)))
        assert samples, "a model needs a sample"
        return TopicModel(
            self.config,
            self.corpus.languages,
            self.corpus.vocabularies,
            self.sampled,
            totals_by_language(self.sampled, self.corpus.sizes),
            samples,
            {
                "documents": self.corpus.documents,
                "running_words": len(self.corpus.words),
                "data": self.corpus.digest,
                "perplexity": self.perplexity,
            },
        )


def totals_by_language(counts: csr_array, sizes: IntArray) -> IntArray:
    """The sums of each language's rows; (languages, topics)."""
    ends = np.cumsum(sizes)
    parts = [counts[end - size : end].sum(axis=0) for end, size in zip(ends, sizes, strict=True)]
    return np.array(parts, dtype=np.int64)


def _key(seed: int, done: int) -> np.uint64:
    digest = hashlib.blake2b(f"{seed}\t{done}".encode(), digest_size=8).digest()
    return np.uint64(int.from_bytes(digest, "little"))
