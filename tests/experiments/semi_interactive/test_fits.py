"""How a model fits its own pairs and the test, on scores that are made up here."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.experiments.semi_interactive.fits import fit, fits_markdown
from dragoman.experiments.semi_interactive.runs import RelevanceTrainingResult
from dragoman.experiments.semi_interactive.task import QueryCandidates
from dragoman.types import Query

COUNT = 40
NAMES, GRADES = ("a", "b", "c", "d"), (2, 0, 0, 0)
QUERIES = [
    QueryCandidates(Query(f"{code}:{n}", "q", code), NAMES, GRADES, frozenset("b"))
    for code in ("de", "fr")
    for n in range(COUNT)
]


def test_a_fit_by_hand():
    scores = np.random.default_rng(0).random((len(QUERIES), 4))
    scores[:, 0] += 5
    epochs = ({"validation": {"AUC": 0.6}}, {"validation": {"AUC": 0.8}})
    result = RelevanceTrainingResult(
        "model", {}, epochs, 1.0, {"AUC": 0.8}, scores.ravel(), None, 0.9, None
    )
    found = fit(result, QUERIES, ("de", "fr"))
    assert (found.tested, found.within, found.sampled, found.hard) == (1, 1, 1, 1)
    assert (found.best_epoch, found.epochs, found.trained) == (2, 2, 0.9)
    assert found.relevant == pytest.approx(5.5, abs=0.1)
    assert found.others == pytest.approx(0.5, abs=0.1)
    *_, line = fits_markdown({"model": result}, QUERIES, ("de", "fr"))
    assert line.startswith("| model | 90.00 | 100.00 | 100.00 | 100.00 | 100.00 | 5.")
    assert line.endswith("| 2 of 2 | 1 |")
    *_, line = fits_markdown({"model": result}, QUERIES, ("de", "fr"), validations=4)
    assert line.endswith("| 0.5 of 0.5 | 1 |")
