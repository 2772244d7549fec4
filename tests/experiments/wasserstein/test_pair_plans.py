"""Figure 1 on two short pairs of documents whose plans are known."""

import numpy as np
import pytest

from dragoman.embeddings.word_vectors import WordVectors
from dragoman.experiments.wasserstein.pair_plans import FIGURE_LAMBDAS, pair_plans
from dragoman.experiments.wasserstein.paired_documents import PairedDocuments
from dragoman.experiments.wasserstein.resources import PairResources
from dragoman.types import Document

ENGLISH = ["water", "bread", "house", "horse", "river", "garden", "window"]
FRENCH = ["eau", "pain", "maison", "cheval", "rivière", "jardin", "fenêtre"]


def aligned(item, count):
    return (
        Document(f"en:{item}", " ".join(ENGLISH[:count]), language="en"),
        Document(f"fr:{item}", " ".join(reversed(FRENCH[:count])), language="fr"),
    )


@pytest.fixture
def resources(tmp_path):
    points = np.eye(len(ENGLISH), dtype=np.float32)
    for code, words in {"en": ENGLISH, "fr": FRENCH}.items():
        WordVectors(code, tuple(words), points).save(tmp_path / code)
    folders = {code: tmp_path / code for code in ("en", "fr")}
    return PairResources(folders, tmp_path / "table", tmp_path / "topics")


def made(test):
    return PairedDocuments("made", ("en", "fr"), test, {})


def test_the_shortest_pair_with_six_words_moves_each_word_to_its_translation(resources):
    pairs = {"a": aligned("a", 7), "b": aligned("b", 6), "c": aligned("c", 5)}
    found = pair_plans(made(pairs), resources)
    assert (found.query.query_id, found.document_id) == ("b", "fr:b")
    assert list(found.plans) == list(FIGURE_LAMBDAS)
    exact = {
        (link.query_word, link.document_word): link.weight for link in found.plans["exact"].links
    }
    assert exact == pytest.approx(dict.fromkeys(zip(ENGLISH[:6], FRENCH[:6], strict=True), 1.0))


def test_a_large_lambda_spreads_each_word(resources):
    plans = pair_plans(made({"b": aligned("b", 6)}), resources).plans
    strongest = [max(link.weight for link in plan.links) for plan in plans.values()]
    assert strongest == sorted(strongest, reverse=True)
    assert strongest[-1] < 0.5


def test_without_a_pair_of_six_words_there_is_no_figure(resources):
    assert pair_plans(made({"c": aligned("c", 5)}), resources) is None
