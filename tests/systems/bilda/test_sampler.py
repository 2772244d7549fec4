from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_array

from dragoman.systems.bilda.config import SamplingSchedule, TopicConfig
from dragoman.systems.bilda.sampler import GibbsSampler
from planted import planted, topic_of

SCHEDULE = SamplingSchedule(burn_in=60, every=10, sweeps=150)
BETA = 0.1  # of the comparisons: with the paper's, small chains stay where they began


def learnt(corpus, beta=BETA, seed=0):
    config = TopicConfig(topics=4, alpha=0.2, beta=beta, schedule=SCHEDULE, seed=seed)
    sampler = GibbsSampler(corpus, config)
    sweeps = list(sampler.sweeps())
    return sampler, sweeps, sampler.model()


def test_planted_topics_are_found_in_both_languages():
    found = planted()
    _, sweeps, model = learnt(found.corpus)
    assert sweeps[-1].perplexity < 0.75 * sweeps[0].perplexity
    planted_in = [
        {
            code: {topic_of(word) for word in model.top_words(topic, code, 8)}
            for code in ("en", "fr")
        }
        for topic in range(4)
    ]
    for sides in planted_in:
        assert len(sides["en"]) == 1
        assert sides["en"] == sides["fr"]
    assert {next(iter(sides["en"])) for sides in planted_in} == {0, 1, 2, 3}


def test_unseen_texts_of_either_language_get_the_topics_they_were_drawn_from():
    _, _, model = learnt(planted().corpus)
    order = [topic_of(model.top_words(topic, "en", 1)[0]) for topic in range(4)]
    unseen = planted(seed=9, documents=20, length=120)
    for item, shares in zip(unseen.items, unseen.shares, strict=True):
        english, french = (model.infer_topics(text) for text in item)
        assert english == pytest.approx(shares[order], abs=0.2)
        assert french == pytest.approx(english, abs=0.2)


def test_samples_are_those_of_the_schedule():
    sampler, sweeps, model = learnt(planted(documents=5).corpus)
    assert [sweep.number for sweep in sweeps if sweep.sampled] == list(range(70, 151, 10))
    assert model.samples == 9
    assert model.totals.sum() == 9 * len(sampler.corpus.words)
    assert model.counts.sum() == 9 * len(sampler.corpus.words)


def test_equal_seeds_give_equal_models_and_others_do_not():
    corpus = planted(documents=10).corpus
    first, again, other = (learnt(corpus, seed=seed)[0].assignments for seed in (0, 0, 1))
    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


# ------------------------------------------------------------ the monolingual special case is LDA


def bags(corpus):
    """The documents as sparse counts of words."""
    rows = np.repeat(np.arange(corpus.documents), np.diff(corpus.starts))
    ones = np.ones(len(corpus.words))
    return csr_array(
        (ones, (rows, corpus.words)), shape=(corpus.documents, corpus.vocabulary_sizes[0])
    )


def perplexity(counts, shares, words):
    """Of counts under document-topic shares (D, K) and topic-word probabilities (K, V)."""
    found = counts.tocoo()
    logs = np.log((shares[found.row] * words[:, found.col].T).sum(axis=1))
    return float(np.exp(-(found.data * logs).sum() / found.data.sum()))


def ours(found):
    _, _, model = learnt(found.corpus, BETA)
    words = model.word_probabilities(np.arange(found.corpus.vocabulary_sizes[0]), "en").T
    shares = np.array([model.infer_topics(text) for (text,) in found.items])
    return shares, words


def matched(words, reference):
    """The mean total variation between topics that are paired best."""
    distance = np.abs(words[:, None] - reference[None]).sum(axis=2) / 2
    return distance[linear_sum_assignment(distance)].mean()


@pytest.fixture(scope="module")
def monolingual():
    return planted(("en",), documents=150, length=60)


def test_one_language_gives_the_topics_of_scikit_learn(monolingual):
    from sklearn.decomposition import LatentDirichletAllocation

    counts = bags(monolingual.corpus)
    peer = LatentDirichletAllocation(
        4, doc_topic_prior=0.2, topic_word_prior=BETA, max_iter=60, random_state=0
    ).fit(counts)
    theirs = peer.components_ / peer.components_.sum(axis=1, keepdims=True)
    shares, words = ours(monolingual)
    assert matched(words, theirs) < 0.1
    peers = perplexity(counts, peer.transform(counts), theirs)
    assert perplexity(counts, shares, words) == pytest.approx(peers, rel=0.05)


def test_one_language_gives_the_topics_of_tomotopy(monolingual):
    tomotopy = pytest.importorskip("tomotopy", reason="tomotopy is not installed")
    corpus = monolingual.corpus
    peer = tomotopy.LDAModel(k=4, alpha=0.2, eta=BETA, seed=1)
    peer.optim_interval = 0  # priors stay as given
    names = corpus.vocabularies[0]
    for start, end in zip(corpus.starts, corpus.starts[1:], strict=False):
        peer.add_doc([names[word] for word in corpus.words[start:end]])
    peer.train(200, workers=1)
    order = [list(peer.used_vocabs).index(name) for name in names]
    theirs = np.array([peer.get_topic_word_dist(topic) for topic in range(4)])[:, order]
    shares, words = ours(monolingual)
    assert matched(words, theirs) < 0.1
    counts = bags(corpus)
    peers = np.array([document.get_topic_dist() for document in peer.docs])
    expected = perplexity(counts, peers, theirs)
    assert perplexity(counts, shares, words) == pytest.approx(expected, rel=0.05)


def test_matched_topics_do_not_depend_on_their_numbers():
    words = np.random.default_rng(0).dirichlet(np.ones(5), 3)
    for order in permutations(range(3)):
        assert matched(words, words[list(order)]) == 0
