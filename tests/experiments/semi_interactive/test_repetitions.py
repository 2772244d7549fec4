"""Ranges and curves over seeds, and the rate that validation prefers."""

from dataclasses import asdict

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.experiments.semi_interactive.plan import (
    BY_LEAD_SENTENCES,
    INTERACT,
    NON,
    NON_KT,
    RATE_FACTORS,
    RATED,
    SEEDS,
    SEMI,
    UNTRAINED,
    QueryWording,
    RelevancePart,
    chosen_trainings,
    planned_trainings,
)
from dragoman.experiments.semi_interactive.repetitions import (
    differences_markdown,
    repetitions_markdown,
    seed_pairs,
)
from dragoman.experiments.semi_interactive.runs import RelevanceTrainingResult
from dragoman.experiments.semi_interactive.scales import SMALL
from made_up_relevance import scores, task


def result(run, values, *, validated=()):
    epochs = [{"validation": {"AUC": one, "AUC within queries": one / 2}} for one in validated]
    settings = {"repeats": run.repeats, "config": asdict(run.config)}
    start = {"AUC": 0.5, "AUC within queries": 0.25}
    return RelevanceTrainingResult(
        run.name, settings, tuple(epochs), 1.0, start, values, None, 0.9, None
    )


def test_every_model_has_all_seeds_and_three_have_all_rates():
    runs = planned_trainings(SMALL)[RelevancePart.REPEATED]
    rates = {model: {run.config.learning_rate for run in runs if run.model == model}
             for model in {run.model for run in runs}}  # fmt: skip
    for model, some in rates.items():
        assert len(some) == (len(RATE_FACTORS) if model in RATED else 1)
        for rate in some:
            seeds = [run.config.seed for run in runs
                     if (run.model, run.config.learning_rate) == (model, rate)]  # fmt: skip
            assert seeds == list(SEEDS)
    assert {NON_KT, *BY_LEAD_SENTENCES.values()} <= rates.keys()
    assert len({run.folder for run in runs}) == len(runs)
    for run in runs:
        assert (run.queries is QueryWording.LEAD_SENTENCES) == ("lead sentences" in run.name)


def test_models_of_parts_that_are_not_wanted_are_not_repeated():
    parts = [RelevancePart.SENTENCES, RelevancePart.REPEATED]
    runs = chosen_trainings(SMALL, parts, languages=5)[RelevancePart.REPEATED]
    assert {run.model for run in runs} == {*RATED, *BY_LEAD_SENTENCES.values()}
    assert RelevancePart.REPEATED not in chosen_trainings(SMALL, parts[:1], languages=5)


def test_ranges_are_over_seeds_and_validation_chooses_the_rate():
    repeated = planned_trainings(SMALL)[RelevancePart.REPEATED]
    runs = [run for run in repeated if run.model == NON]
    slow, base, fast = sorted({run.config.learning_rate for run in runs})
    rng = np.random.default_rng(0)
    results = {
        run.name: result(run, scores(1.0 if run.config.seed else 0.0, rng),
                         validated=[0.6 + 0.1 * (run.config.learning_rate == slow), 0.4])
        for run in runs
    }  # fmt: skip
    lines = repetitions_markdown(runs, results, task(), validations=2)
    rows = [line for line in lines if line.startswith(f"| {NON} | ")]
    assert rows[0].startswith(f"| {NON} | **{slow:g}** | 3 | ")
    assert rows[0].endswith(" to 100.00 | 0.5 of 1, 0.5 of 1, 0.5 of 1 |")
    assert rows[1].startswith(f"| {NON} | {base:g} |")
    assert rows[2].startswith(f"| {NON} | {fast:g} |")
    assert f"| {NON} | {slow:g} |  | 70.00 | 40.00 |" in lines
    assert f"| {NON} | {slow:g} |  | 35.00 | 20.00 |" in lines
    untrained = {run.name: run for run in planned_trainings(SMALL)[RelevancePart.SIMILARITY]}
    results[UNTRAINED] = result(untrained[UNTRAINED], scores(0.0, rng))
    lines = repetitions_markdown(runs, results, task(), validations=2)
    assert f"| {NON} | {base:g} | 50.00 | 60.00 | 40.00 |" in lines


def test_differences_are_between_models_of_one_seed():
    planned = planned_trainings(SMALL)[RelevancePart.REPEATED]
    runs = [run for run in planned if run.model in (NON, SEMI, INTERACT)]
    rng = np.random.default_rng(0)
    heights = {NON: 0.0, SEMI: 1.0, INTERACT: 1.0}
    results = {run.name: result(run, scores(heights[run.model], rng)) for run in runs}
    lines = differences_markdown(results, task())
    (claim,) = (line for line in lines if line.startswith("| The semi-interactive model is above"))
    mean, bounds = claim.split(" | ")[1:]
    low, high = map(float, bounds.removesuffix(" |").split(" to "))
    assert 40 < low <= float(mean) <= high < 60
    first, second = list("abc"), list("x")
    assert seed_pairs(first, second) == [("a", "x"), ("b", "x"), ("c", "x")]
