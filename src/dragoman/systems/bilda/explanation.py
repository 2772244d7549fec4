"""Two texts -> links between words that probably have the same topic.

In a text with topic distribution theta, a word w has topic k with probability p(k | w) proportional
to theta_k p(w | k). Two words have the same topic with the probability sum_k p(k | w) p(k | v).
"""

import numpy as np

from dragoman.systems.bilda.model import TopicModel
from dragoman.types import FloatArray, IntArray, Link, Text


def topic_links(model: TopicModel, query: Text, document: Text) -> tuple[Link, ...]:
    """For each query word the document word with which it most likely shares a topic.

    Strongest first. A link's weight is the probability of a shared topic; its share is the weight
    times the word's frequency in the query, relative to the sum over all links.
    """
    query_rows, counts, query_topics = _word_topics(model, query)
    document_rows, _, document_topics = _word_topics(model, document)
    if not len(query_rows) or not len(document_rows):
        return ()
    same_topic = query_topics @ document_topics.T
    best = same_topic.argmax(axis=1)
    weights = same_topic[np.arange(len(query_rows)), best]
    shares = counts * weights / (counts * weights).sum()
    order = np.argsort(-shares, kind="stable")
    return tuple(
        Link(
            model.word(int(query_rows[i])),
            model.word(int(document_rows[best[i]])),
            float(weights[i]),
            float(shares[i]),
        )
        for i in order
    )


def _word_topics(model: TopicModel, text: Text) -> tuple[IntArray, IntArray, FloatArray]:
    """The rows of a text's distinct known words, their frequencies and p(topic | word)."""
    rows = model.word_rows(text)
    if not len(rows):
        return rows, rows, np.zeros((0, model.config.topics))
    distinct, counts = np.unique(rows, return_counts=True)
    joint = model.word_probabilities(distinct, text.language)
    joint = joint * model.infer_row_topics(rows, text.language)
    return distinct, counts, joint / joint.sum(axis=1, keepdims=True)
