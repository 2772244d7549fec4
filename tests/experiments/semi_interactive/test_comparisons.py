"""Which trainings are compared."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.experiments.semi_interactive.comparisons import compared
from dragoman.experiments.semi_interactive.plan import INTERACT, NON, SEMI, UNTRAINED
from dragoman.experiments.semi_interactive.runs import RelevanceTrainingResult


def result(name, *validation, repeats="", rate=1e-4):
    epochs = tuple({"validation": {"AUC": value}} for value in validation)
    settings = {"repeats": repeats, "config": {"learning_rate": rate}}
    return RelevanceTrainingResult(name, settings, epochs, 1.0, {"AUC": 0.8}, {}, None, 0.9, None)


def results_of(*some):
    return {one.name: one for one in some}


RATED = (
    result(SEMI, 0.6, 0.7),
    result("semi again", 0.9, 0.7, repeats=SEMI),  # .8 on average
    result("semi, slow", 0.85, 0.1, repeats=SEMI, rate=1e-5),
    result("semi, slow, again", 0.85, repeats=SEMI, rate=1e-5),
    result(NON, 0.9),
    result("non, slow", 0.8, repeats=NON, rate=1e-5),
)


def names(pair):
    return [[one.name for one in some] for some in pair]


def test_validation_chooses_the_rate_of_both_models():
    found = compared(results_of(*RATED), SEMI, NON)
    assert names(found) == [["semi, slow", "semi, slow, again"], [NON]]


def test_a_model_with_one_rate_is_compared_at_it():
    found = compared(results_of(*RATED, result(INTERACT, 0.5)), SEMI, INTERACT)
    assert names(found) == [[SEMI, "semi again"], [INTERACT]]


def test_a_model_without_training_has_no_rate():
    found = compared(results_of(*RATED, result(UNTRAINED)), SEMI, UNTRAINED)
    assert names(found) == [["semi, slow", "semi, slow, again"], [UNTRAINED]]
