"""How much of the English side a translation has."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.experiments.searcher.neural_translation import mean_recall


def test_recall_is_of_distinct_content_words_by_their_stems():
    assert mean_recall(["Houses by rivers"], ["the hous hous of water"]) == 0.5
    assert mean_recall(["nothing", "house"], ["hous", "hous"]) == 0.5


def test_documents_without_content_words_are_left_out():
    assert mean_recall(["x", "house"], ["the of", "hous"]) == 1.0
    assert mean_recall([], []) == 0.0
