"""Random bags and corpora, and the certificate of docs/transport.md as it is written there."""

import numpy as np
from hypothesis import strategies as st
from scipy.sparse import csr_array

from dragoman.scores.transport import Corpus, WeightedBag


def sphere(rng, count, dimension=8):
    points = rng.normal(size=(count, dimension))
    return (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)


def random_bag(rng, words, dimension=8):
    return WeightedBag(sphere(rng, words, dimension), rng.random(words).astype(np.float32) + 0.01)


def random_corpus(rng, documents=120, vocabulary=90, density=0.12, dimension=8):
    """A corpus and its table of points; documents 0 and 5 are equal, document 3 has no word."""
    points = sphere(rng, vocabulary, dimension)
    bags = rng.random((documents, vocabulary)) * (rng.random((documents, vocabulary)) < density)
    bags[bags.sum(axis=1) == 0, 0] = 1
    bags[3], bags[5] = 0, bags[0]
    return Corpus.build(points, csr_array(bags.astype(np.float32))), points


@st.composite
def bags(draw, most=7):
    """A bag of few words, some of them without weight, some of them equal."""
    words = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    weights = np.array(draw(st.lists(st.integers(0, 5), min_size=words, max_size=words)))
    weights[draw(st.integers(0, words - 1))] += 1
    points = sphere(rng, words, dimension=3)
    if words > 1 and draw(st.booleans()):
        points[-1] = points[0]
    return WeightedBag(points, weights.astype(np.float32))


def column_exact_plan(u, b, kernel):
    return u[:, None] * kernel * (b / (u @ kernel))


def divergence_bound(a, u, plan, cost, epsilon):
    """Proposition 2."""
    off = a - plan.sum(axis=1)
    spread = (cost.max(axis=0) - cost.min(axis=0)).max()
    return (spread * np.abs(off).sum() / 2 - epsilon * np.log(u / a) @ off) / epsilon


def certified_bound(a, b, u, cost, epsilon):
    """Proposition 3."""
    plan = column_exact_plan(u, b, np.exp(-cost / epsilon))
    columns = plan / b
    means = (columns * cost).sum(axis=0)
    variance = b @ (columns * (cost - means) ** 2).sum(axis=0)
    fall = (means - cost.min(axis=0)).max()
    kappa = divergence_bound(a, u, plan, cost, epsilon)
    return (plan * cost).sum() - np.sqrt(2 * variance * kappa) - fall * kappa / 3
