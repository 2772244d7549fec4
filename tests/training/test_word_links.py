"""Links of query words with their nearest document words."""

import numpy as np
import pytest

from dragoman.training.word_links import nearest_links


def test_links_are_the_nearest_words_with_their_shares():
    cosines = np.array([[0.2, 0.9], [0.5, 0.4], [-0.1, -0.2]])
    links = nearest_links(["a", "b", "c"], np.array([1.0, 3.0, 0.0]), ["x", "y"], cosines)
    assert [(link.query_word, link.document_word) for link in links] == [("b", "x"), ("a", "y")]
    assert [link.share for link in links] == pytest.approx([0.75, 0.25])
    assert [link.weight for link in links] == pytest.approx([0.5, 0.9])


def test_words_without_any_effect_have_no_share():
    links = nearest_links(["a"], np.zeros(1), ["x"], np.array([[1.0000001]]))
    assert [(link.share, link.weight) for link in links] == [(0.0, 1.0)]
