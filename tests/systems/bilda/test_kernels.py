from itertools import product
from math import lgamma

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dragoman.systems.bilda.config import SamplingSchedule, TopicConfig
from dragoman.systems.bilda.corpus import AlignedCorpus
from dragoman.systems.bilda.kernels import ONE_COUNT, TOPIC, UNASSIGNED, uniform
from dragoman.systems.bilda.sampler import GibbsSampler, _key, totals_by_language

ALPHA, BETA = 0.4, 0.05


def config(topics, alpha=ALPHA, beta=BETA, seed=0):
    schedule = SamplingSchedule(burn_in=100_000, every=1, sweeps=100_001)  # none is sampled here
    return TopicConfig(topics=topics, alpha=alpha, beta=beta, schedule=schedule, seed=seed)


@st.composite
def corpora(draw):
    """Small aligned corpora of one to three languages, empty texts among them."""
    languages = draw(st.integers(1, 3))
    documents = draw(st.integers(1, 5))
    words, texts = [], []
    vocabularies = [draw(st.integers(1, 6)) for _ in range(languages)]
    offsets = np.concatenate(([0], np.cumsum(vocabularies)))
    for text in range(documents * languages):
        language = text % languages
        inside = draw(st.lists(st.integers(0, vocabularies[language] - 1), max_size=8))
        words += sorted(int(offsets[language]) + number for number in inside)
        texts.append(len(words))
    assume(words)
    return AlignedCorpus(
        tuple(f"l{number}" for number in range(languages)),
        tuple(tuple(f"w{number}" for number in range(size)) for size in vocabularies),
        np.array(words, dtype=np.int32),
        np.array([0, *texts], dtype=np.int64),
    )


@given(corpora(), st.integers(1, 40), st.integers(0, 3))
@settings(max_examples=40, deadline=None)
def test_counts_follow_the_assignments(corpus, topics, seed):
    sampler = GibbsSampler(corpus, config(topics, seed=seed))
    for _ in range(3):
        sampler.sweep()
        assert ((sampler.assignments >= 0) & (sampler.assignments < topics)).all()
        assert (sampler._totals == sampler.totals()).all()
        ends, entries = sampler._build_entries()  # from the assignments
        assert (sampler._ends == ends).all()
        for begin, end in zip(sampler._begins[:-1], ends, strict=True):
            own = sampler._entries[begin:end].tolist()
            assert own == entries[begin:end].tolist()
            assert own == sorted(own, reverse=True)
    assert sampler._totals.sum() == len(corpus.words)


class Plain:
    """The formula as written: all topics, one division each, no sorted entries."""

    def __init__(self, corpus, topics):
        self.corpus, self.topics = corpus, topics
        self.assignments = np.full(len(corpus.words), UNASSIGNED)

    def sweep(self, key):
        likelihood = 0.0
        texts, languages = len(self.corpus.starts) - 1, len(self.corpus.languages)
        for text in range(texts):
            language, document = text % languages, text // languages
            first = self.corpus.starts[document * languages]
            last = self.corpus.starts[(document + 1) * languages]
            for position in range(self.corpus.starts[text], self.corpus.starts[text + 1]):
                self.assignments[position] = UNASSIGNED
                own = self.topic_counts(self.assignments[first:last])
                same_word = self.corpus.words == self.corpus.words[position]
                word = self.topic_counts(self.assignments[same_word])
                total = self.topic_counts(
                    self.assignments[self.corpus.languages_of_words == language]
                )
                size = self.corpus.vocabulary_sizes[language]
                c = (own + ALPHA) / (total + size * BETA)
                likelihood += np.log((c * (word + BETA)).sum() / (own.sum() + self.topics * ALPHA))
                self.assignments[position] = self.pick(c, word, uniform(key, position))
        return likelihood

    def topic_counts(self, assignments):
        return np.bincount(assignments[assignments != UNASSIGNED], minlength=self.topics)

    def pick(self, c, word, chance):
        """The topics of the word by descending count, then all topics in order."""
        descending = sorted(np.flatnonzero(word), key=lambda k: (-word[k], -k))
        parts = [(k, word[k] * c[k]) for k in descending]
        parts += [(k, BETA * c[k]) for k in range(self.topics)]
        remaining = chance * sum(part for _, part in parts)
        for topic, part in parts:
            remaining -= part
            if remaining < 0:
                return topic
        return parts[-1][0]


@given(corpora(), st.integers(1, 20))
@settings(max_examples=25, deadline=None)
def test_a_sweep_draws_what_the_formula_says(corpus, topics):
    sampler, plain = GibbsSampler(corpus, config(topics)), Plain(corpus, topics)
    for number in range(3):
        expected = plain.sweep(_key(0, number))
        sweep = sampler.sweep()
        assert sampler.assignments.tolist() == plain.assignments.tolist()
        assert sweep.perplexity == pytest.approx(np.exp(-expected / len(corpus.words)))


def log_joint(corpus, assignments, topics):
    """ln p(words, topics) of the model with both distributions integrated out, up to a constant."""
    languages = len(corpus.languages)
    total = 0.0
    for document in range(corpus.documents):
        first, last = corpus.starts[[document * languages, (document + 1) * languages]]
        own = np.bincount(assignments[first:last], minlength=topics)
        total += sum(lgamma(n + ALPHA) for n in own)
    for language, size in enumerate(corpus.vocabulary_sizes):
        offset = int(corpus.vocabulary_sizes[:language].sum())
        inside = corpus.languages_of_words == language
        for topic in range(topics):
            words = corpus.words[inside & (assignments == topic)] - offset
            total += sum(lgamma(n + BETA) for n in np.bincount(words, minlength=size))
            total -= lgamma(len(words) + size * BETA)
    return total


def test_long_chains_have_the_exact_distribution_over_topics():
    corpus = AlignedCorpus(
        ("en", "fr"),
        (("a", "b"), ("c", "d")),
        np.array([0, 1, 2, 0, 2, 3], dtype=np.int32),
        np.array([0, 2, 3, 4, 6], dtype=np.int64),
    )
    states = [np.array(state) for state in product(range(2), repeat=6)]
    logs = np.array([log_joint(corpus, state, 2) for state in states])
    exact = np.exp(logs - logs.max())
    exact /= exact.sum()
    sampler = GibbsSampler(corpus, config(2))
    visits = np.zeros(64)
    sweeps = 20_000
    for _ in range(sweeps):
        sampler.sweep()
        visits[int("".join(map(str, sampler.assignments)), 2)] += 1
    assert np.abs(visits / sweeps - exact).sum() / 2 < 0.03  # total variation


def test_random_numbers_are_even_and_differ_by_key_and_position():
    numbers = np.array(
        [uniform(np.uint64(key), position) for key in range(5) for position in range(2000)]
    )
    assert len(set(numbers.tolist())) == len(numbers)
    tenths = np.bincount((numbers * 10).astype(int), minlength=10)
    assert (np.abs(tenths - 1000) < 150).all()


def test_entries_hold_topic_and_count():
    assert (3 * ONE_COUNT + 7) & TOPIC == 7
    assert (3 * ONE_COUNT + TOPIC) // ONE_COUNT == 3


def test_totals_are_by_language():
    sampler = GibbsSampler(
        AlignedCorpus(
            ("a", "b"),
            (("x",), ("y", "z")),
            np.array([0, 1, 2, 2], dtype=np.int32),
            np.array([0, 1, 4], dtype=np.int64),
        ),
        config(1),
    )
    sampler.sweep()
    totals = totals_by_language(sampler.counts(), sampler.corpus.vocabulary_sizes)
    assert totals.tolist() == [[1], [3]]
