"""Means and ranges over seeds, and the rate that validation prefers."""

from types import SimpleNamespace

import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("transformers", reason="needs the extra neural")

from dragoman.experiments.semi_interactive.plan import (
    NON,
    RATE_FACTORS,
    SEEDS,
    SMALL,
    RelevancePart,
    planned_trainings,
)
from dragoman.experiments.semi_interactive.repetitions import repetitions_markdown
from dragoman.experiments.semi_interactive.values import AUC


def test_every_model_is_trained_with_every_rate_and_seed():
    runs = planned_trainings(SMALL)[RelevancePart.REPEATED]
    assert len(runs) == 3 * len(RATE_FACTORS) * len(SEEDS)
    assert len({(run.name, run.config.learning_rate, run.config.seed) for run in runs}) == len(runs)
    assert len({run.folder for run in runs}) == len(runs)


def test_ranges_are_over_seeds_and_validation_chooses_the_rate():
    runs = [
        run for run in planned_trainings(SMALL)[RelevancePart.REPEATED] if run.name.startswith(NON)
    ]
    rates = sorted({run.config.learning_rate for run in runs})
    areas = {run.name: 0.8 + 0.01 * run.config.seed for run in runs}
    results = {
        run.name: SimpleNamespace(
            epochs=[
                {"validation": {AUC: 0.5 + (run.config.learning_rate == rates[0])}},
                {"validation": {AUC: 0.4}},
            ]
        )
        for run in runs
    }
    *_, first, second, third = repetitions_markdown(runs, areas, results)
    assert first == f"| {NON} | **{rates[0]:g}** | 3 | 81.00 | 80.00 to 82.00 |" + (
        " 1 of 2, 1 of 2, 1 of 2 |"
    )
    assert f"| {NON} | {rates[1]:g} |" in second
    assert f"| {NON} | {rates[2]:g} |" in third
