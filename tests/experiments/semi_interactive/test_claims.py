"""The paper's claims on scores that are made up here."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.experiments.claims import Verdict, evaluate_claims
from dragoman.experiments.semi_interactive.claims import CLAIMS, model_gains
from dragoman.experiments.semi_interactive.plan import INTERACT, NON, SEMI
from dragoman.experiments.semi_interactive.runs import RelevanceTrainingResult
from made_up_relevance import scores, task


def result(name, values, *, repeats="", rate=1e-4):
    epochs = ({"validation": {"AUC": 0.6}}, {"validation": {"AUC": 0.8}})
    settings = {"repeats": repeats, "config": {"learning_rate": rate}}
    return RelevanceTrainingResult(
        name, settings, epochs, 1.0, {"AUC": 0.8}, values, None, 0.9, None
    )


def judged(upper, lower):
    results = {SEMI: result(SEMI, upper), NON: result(NON, lower)}
    return evaluate_claims(model_gains(results, task()))


def holding(claims):
    """(measure, group) -> whether the claim holds."""
    return {(claim.measure, claim.group): claim.verdict for claim in claims}


def test_a_claim_that_holds_everywhere():
    rng = np.random.default_rng(0)
    claims = judged(scores(1.0, rng), scores(0.0, rng))
    assert {claim.text for claim in claims} == {CLAIMS[0][0]}  # that of the two trained models
    assert set(holding(claims).values()) == {Verdict.HOLDS}
    assert [(claim.measure, claim.paper) for claim in claims if not claim.group] == [
        ("AUC", pytest.approx(5.12)),
    ]
    assert {claim.group for claim in claims} == {"", "de", "fr", "es"}


def test_a_claim_that_is_reversed():
    rng = np.random.default_rng(0)
    claims = judged(scores(0.0, rng), scores(1.0, rng))
    assert set(holding(claims).values()) == {Verdict.OPPOSITE}


def test_a_claim_that_holds_but_for_one_language():
    rng = np.random.default_rng(0)
    found = holding(judged(scores(1.0, rng, swapped=["es"]), scores(0.0, rng)))
    assert found["AUC", "de"] is found["AUC", "fr"] is Verdict.HOLDS
    assert found["AUC", "es"] is Verdict.OPPOSITE


def test_equal_models_decide_nothing():
    values = scores(0.5, np.random.default_rng(0))
    assert set(holding(judged(values, values)).values()) == {Verdict.NOT_SHOWN}


def test_a_claim_about_a_model_that_was_not_trained_is_left_out():
    results = {INTERACT: result(INTERACT, scores(1.0, np.random.default_rng(0)))}
    assert list(model_gains(results, task())) == []


def test_a_claim_is_about_the_mean_over_seeds():
    """Two seeds of exchanged scores leave no difference; another rate is another model."""
    rng = np.random.default_rng(0)
    good, bad = scores(1.0, rng), scores(0.0, rng)
    results = {SEMI: result(SEMI, good), NON: result(NON, bad)}
    results["semi again"] = result("semi again", bad, repeats=SEMI)
    results["non again"] = result("non again", good, repeats=NON)
    results["semi, fast"] = result("semi, fast", good, repeats=SEMI, rate=1.0)
    claims = evaluate_claims(model_gains(results, task()))
    assert [claim.difference for claim in claims] == pytest.approx([0] * len(claims), abs=1e-9)
