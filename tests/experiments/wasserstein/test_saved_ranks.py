"""A saved row is not run again, unless its texts, queries or settings are others."""

import numpy as np
import pytest

from dragoman.experiments.wasserstein import saved_ranks
from dragoman.experiments.wasserstein.paired_documents import PairedDocuments
from dragoman.experiments.wasserstein.runs import FREQUENCIES, TRANSLATED, TableSystem
from dragoman.protocols import no_progress
from dragoman.types import Document, Query

ROW = TableSystem(TRANSLATED, "tf", FREQUENCIES, {"weighting": "tf"})


def pairs(text="pain maison"):
    both = Document("en:0", "bread", language="en"), Document("fr:0", text, language="fr")
    return PairedDocuments("made", ("en", "fr"), {"0": both}, {})


@pytest.fixture
def counted(monkeypatch):
    calls = []
    run = saved_ranks.run_system
    monkeypatch.setattr(saved_ranks, "run_system", lambda *given: calls.append(1) or run(*given))
    return calls


def test_the_same_row_is_run_once(tmp_path, counted):
    queries = [Query("0", "pain", "fr"), Query("0", "neige", "fr")]
    first = saved_ranks.saved_run(tmp_path, pairs(), ROW, queries, 0, no_progress)
    again = saved_ranks.saved_run(tmp_path, pairs(), ROW, queries, 0, no_progress)
    assert len(counted) == 1
    np.testing.assert_array_equal(again.ranks, first.ranks)
    np.testing.assert_array_equal(first.ranks, [1.0, np.inf])


def test_other_texts_queries_or_settings_are_run(tmp_path, counted):
    queries = [Query("0", "pain", "fr")]
    idf = TableSystem(TRANSLATED, "tf", FREQUENCIES, {"weighting": "idf"})
    for given in [
        (pairs(), ROW, queries),
        (pairs("pain table"), ROW, queries),
        (pairs(), ROW, [Query("0", "maison", "fr")]),
        (pairs(), idf, queries),
    ]:
        saved_ranks.saved_run(tmp_path, *given, 0, no_progress)
    assert len(counted) == 4
