import numpy as np
import pytest

from dragoman.systems.bags.collection import WeightedWords
from dragoman.systems.bags.explanation import MIN_SHARE, product_links, transport_links

AXES = np.eye(3, dtype=np.float32)


def bag(weights):
    """A bag of words, each with an axis; a word's sign is that of its weight."""
    words = tuple(weights)
    values = np.array(list(weights.values()))
    points = AXES[: len(words)] * np.sign(values)[:, None]
    return WeightedWords(words, points.astype(np.float32), np.abs(values))


def test_a_plan_becomes_links_from_the_largest_share_on():
    plan = np.array([[0.5, 0.1], [0.0, 0.4]])
    links = transport_links(plan, ("house", "fire"), ("haus", "feuer"))
    assert [(link.query_word, link.document_word, link.share) for link in links] == [
        ("house", "haus", 0.5),
        ("fire", "feuer", 0.4),
        ("house", "feuer", 0.1),
    ]
    assert [link.weight for link in links] == pytest.approx([5 / 6, 1, 1 / 6])


def test_thin_links_are_left_out():
    plan = np.array([[1 - MIN_SHARE / 2, MIN_SHARE / 2]])
    (link,) = transport_links(plan, ("house",), ("haus", "feuer"))
    assert link.document_word == "haus"


def test_products_become_one_link_for_each_query_word_that_adds():
    query = bag({"house": 2.0, "fire": 1.0, "bread": 1.0})
    document = bag({"haus": 1.0, "feuer": 1.0, "stein": -1.0})
    links = product_links(query, document)
    assert [(link.query_word, link.document_word) for link in links] == [
        ("house", "haus"),
        ("fire", "feuer"),
    ]
    assert [link.share for link in links] == pytest.approx([2 / 3, 1 / 3])
    assert [link.weight for link in links] == pytest.approx([1, 1])


def test_an_empty_bag_has_no_links():
    empty = WeightedWords((), AXES[:0], np.zeros(0))
    assert product_links(empty, bag({"haus": 1.0})) == ()
    assert product_links(bag({"haus": 1.0}), empty) == ()
