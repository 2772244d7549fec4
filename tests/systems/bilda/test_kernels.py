from itertools import product
from math import lgamma

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dragoman.systems.bilda.config import Schedule, TopicConfig
from dragoman.systems.bilda.corpus import AlignedCorpus
from dragoman.systems.bilda.inference import infer
from dragoman.systems.bilda.kernels import TALLY, TOPIC, UNDRAWN, uniform
from dragoman.systems.bilda.objective import Chain, _key, totals_by_language

ALPHA, BETA = 0.4, 0.05


def config(topics, alpha=ALPHA, beta=BETA, seed=0):
    schedule = Schedule(burn_in=100_000, every=1, sweeps=100_001)  # none is sampled here
    return TopicConfig(topics=topics, alpha=alpha, beta=beta, schedule=schedule, seed=seed)


@st.composite
def corpora(draw):
    """Small aligned corpora of one to three languages, empty sides among them."""
    languages = draw(st.integers(1, 3))
    documents = draw(st.integers(1, 5))
    words, sides = [], []
    vocabularies = [draw(st.integers(1, 6)) for _ in range(languages)]
    offsets = np.concatenate(([0], np.cumsum(vocabularies)))
    for side in range(documents * languages):
        language = side % languages
        inside = draw(st.lists(st.integers(0, vocabularies[language] - 1), max_size=8))
        words += sorted(int(offsets[language]) + number for number in inside)
        sides.append(len(words))
    assume(words)
    return AlignedCorpus(
        tuple(f"l{number}" for number in range(languages)),
        tuple(tuple(f"w{number}" for number in range(size)) for size in vocabularies),
        np.array(words, dtype=np.int32),
        np.array([0, *sides], dtype=np.int64),
    )


@given(corpora(), st.integers(1, 40), st.integers(0, 3))
@settings(max_examples=40, deadline=None)
def test_counts_stay_what_the_drawn_topics_say(corpus, topics, seed):
    chain = Chain(corpus, config(topics, seed=seed))
    for _ in range(3):
        chain.advance()
        assert ((chain.drawn >= 0) & (chain.drawn < topics)).all()
        assert (chain._totals == chain.totals()).all()
        ends, entries = chain._lists()  # made anew from the drawn topics
        assert (chain._ends == ends).all()
        for begin, end in zip(chain._begins[:-1], ends, strict=True):
            found = chain._entries[begin:end]
            assert found.tolist() == entries[begin:end].tolist()
            assert found.tolist() == sorted(found.tolist(), reverse=True)
    assert chain._totals.sum() == len(corpus.words)


class Plain:
    """The same sampler as its formula reads: all topics, one division each, nothing kept sorted."""

    def __init__(self, corpus, topics):
        self.corpus, self.topics = corpus, topics
        self.drawn = np.full(len(corpus.words), UNDRAWN)

    def sweep(self, key):
        likelihood = 0.0
        sides, languages = len(self.corpus.starts) - 1, len(self.corpus.languages)
        for side in range(sides):
            language, document = side % languages, side // languages
            first = self.corpus.starts[document * languages]
            last = self.corpus.starts[(document + 1) * languages]
            for place in range(self.corpus.starts[side], self.corpus.starts[side + 1]):
                self.drawn[place] = UNDRAWN
                own = self.tallies(self.drawn[first:last])
                same_word = self.corpus.words == self.corpus.words[place]
                word = self.tallies(self.drawn[same_word])
                total = self.tallies(self.drawn[self.corpus.languages_of_words == language])
                size = self.corpus.sizes[language]
                c = (own + ALPHA) / (total + size * BETA)
                likelihood += np.log((c * (word + BETA)).sum() / (own.sum() + self.topics * ALPHA))
                self.drawn[place] = self.pick(c, word, uniform(key, place))
        return likelihood

    def tallies(self, drawn):
        return np.bincount(drawn[drawn != UNDRAWN], minlength=self.topics)

    def pick(self, c, word, chance):
        """The topics of the word by falling tally, then all topics in their order."""
        falling = sorted(np.flatnonzero(word), key=lambda k: (-word[k], -k))
        parts = [(k, word[k] * c[k]) for k in falling]
        parts += [(k, BETA * c[k]) for k in range(self.topics)]
        left = chance * sum(part for _, part in parts)
        for topic, part in parts:
            left -= part
            if left < 0:
                return topic
        return parts[-1][0]


@given(corpora(), st.integers(1, 20))
@settings(max_examples=25, deadline=None)
def test_a_sweep_draws_what_the_formula_says(corpus, topics):
    chain, plain = Chain(corpus, config(topics)), Plain(corpus, topics)
    for number in range(3):
        expected = plain.sweep(_key(0, number))
        found = chain.advance()
        assert chain.drawn.tolist() == plain.drawn.tolist()
        assert found.perplexity == pytest.approx(np.exp(-expected / len(corpus.words)))


def log_joint(corpus, drawn, topics):
    """ln p(words, topics) of the model with both distributions integrated out, up to a constant."""
    languages = len(corpus.languages)
    total = 0.0
    for document in range(corpus.documents):
        first, last = corpus.starts[[document * languages, (document + 1) * languages]]
        own = np.bincount(drawn[first:last], minlength=topics)
        total += sum(lgamma(n + ALPHA) for n in own)
    for language, size in enumerate(corpus.sizes):
        offset = int(corpus.sizes[:language].sum())
        inside = corpus.languages_of_words == language
        for topic in range(topics):
            words = corpus.words[inside & (drawn == topic)] - offset
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
    chain = Chain(corpus, config(2))
    visits = np.zeros(64)
    sweeps = 20_000
    for _ in range(sweeps):
        chain.advance()
        visits[int("".join(map(str, chain.drawn)), 2)] += 1
    assert np.abs(visits / sweeps - exact).sum() / 2 < 0.03  # total variation


def test_an_unseen_text_has_the_exact_mean_of_its_topics():
    rng = np.random.default_rng(0)
    probabilities = rng.dirichlet(np.ones(3), 3)  # (distinct words, topics)
    words = np.array([0, 0, 1, 2], dtype=np.int64)
    expected, whole = np.zeros(3), 0.0
    for state in product(range(3), repeat=4):
        own = np.bincount(state, minlength=3)
        weight = np.exp(sum(lgamma(n + ALPHA) for n in own))
        weight *= probabilities[words, state].prod()
        expected += weight * (own + ALPHA) / (4 + 3 * ALPHA)
        whole += weight
    found = infer(probabilities, words, ALPHA, 100, 1, 40_000, np.uint64(1))
    assert found == pytest.approx(expected / whole, abs=0.01)
    assert found.sum() == pytest.approx(1)


def test_random_numbers_are_even_and_differ_by_key_and_place():
    numbers = np.array(
        [uniform(np.uint64(key), place) for key in range(5) for place in range(2000)]
    )
    assert len(set(numbers.tolist())) == len(numbers)
    tenths = np.bincount((numbers * 10).astype(int), minlength=10)
    assert (np.abs(tenths - 1000) < 150).all()


def test_entries_hold_topic_and_tally():
    assert (3 * TALLY + 7) & TOPIC == 7
    assert (3 * TALLY + TOPIC) // TALLY == 3


def test_totals_are_by_language():
    chain = Chain(
        AlignedCorpus(
            ("a", "b"),
            (("x",), ("y", "z")),
            np.array([0, 1, 2, 2], dtype=np.int32),
            np.array([0, 1, 4], dtype=np.int64),
        ),
        config(1),
    )
    chain.advance()
    assert totals_by_language(chain.counts(), chain.corpus.sizes).tolist() == [[1], [3]]
