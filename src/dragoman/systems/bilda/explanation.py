"""Which words of two texts are about the same: the chance that they have one topic.

In a text with topics theta, a word has topic k with p(k | w) proportional to theta_k p(w | k). Two
words meet with the probability that both have the same topic, the sum over k of the product.
"""

import numpy as np

from dragoman.systems.bilda.model import TopicModel
from dragoman.types import FloatArray, IntArray, Link, Text


def linked(model: TopicModel, query: Text, document: Text) -> tuple[Link, ...]:
    """For each query word the document word it most likely shares a topic with, strongest first.

    A link's weight is that probability; its share is the weight times how often the query has the
    word, of the sum over all links.
    """
    query_words, counts, query_topics = _topics_of_words(model, query)
    document_words, _, document_topics = _topics_of_words(model, document)
    if not len(query_words) or not len(document_words):
        return ()
    together = query_topics @ document_topics.T
    best = together.argmax(axis=1)
    weights = together[np.arange(len(query_words)), best]
    shares = counts * weights / (counts * weights).sum()
    order = np.argsort(-shares, kind="stable")
    return tuple(
        Link(
            model.word(int(query_words[i])),
            model.word(int(document_words[best[i]])),
            float(weights[i]),
            float(shares[i]),
        )
        for i in order
    )


def _topics_of_words(model: TopicModel, text: Text) -> tuple[IntArray, IntArray, FloatArray]:
    """The text's known words, each once, how often it has them, and p(topic | word) in it."""
    rows = model.known_words(text)
    if not len(rows):
        return rows, rows, np.zeros((0, model.config.topics))
    distinct, counts = np.unique(rows, return_counts=True)
    joint = model.word_probabilities(distinct, text.language)
    joint = joint * model.topics_of_words(rows, text.language)
    return distinct, counts, joint / joint.sum(axis=1, keepdims=True)
