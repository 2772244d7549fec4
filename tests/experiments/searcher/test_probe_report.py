"""Claims about models from the values of their probes."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.experiments.searcher.plan import SCALES
from dragoman.experiments.searcher.probe_report import (
    FEWEST,
    PROBES,
    probe_gains,
    probe_values,
    with_range,
)

SMALL = SCALES["small"]
ROWS = ("searcher-softmax", "searcher-max", "searcher-softmax-aligned-4-blocks")


def result(language, items, rows=ROWS, **values):
    probes = {name: [values.get(name, 0.0)] * items for name in PROBES}
    runs = {row: [SimpleNamespace(facts={"probes": probes})] for row in rows}
    return SimpleNamespace(task=SimpleNamespace(language=language), runs=runs)


def by_seed(*seeds):
    """A result whose only row has these values of the synonyms."""
    runs = [SimpleNamespace(facts={"probes": {"synonymy": values}}) for values in seeds]
    return SimpleNamespace(runs={"row": runs})


def test_areas_are_compared_with_chance_and_correlations_with_none():
    measured = result("sw", FEWEST, polysemy=0.7, synonymy=0.4, bias=-0.3, uncertainty=0.2)
    differences = [
        float(np.mean(first - second))
        for gain in probe_gains([measured], SMALL)
        for first, second in gain.pairs.values()
    ]
    assert differences == pytest.approx([0.2, -0.1, 0.3, 0.0])


def test_a_language_with_few_items_has_no_part():
    gains = list(probe_gains([result("so", FEWEST - 1), result("sw", FEWEST)], SMALL))
    assert [list(gain.pairs) for gain in gains] == [["sw"]] * 4


def test_claims_of_models_that_were_not_trained_are_left_out():
    some = [result("so", FEWEST, rows=ROWS[:1]), result("sw", FEWEST)]
    gains = list(probe_gains(some, SMALL))
    assert [list(gain.pairs) for gain in gains] == [["sw"], ["so", "sw"], ["so", "sw"], ["sw"]]


def test_an_item_has_its_mean_over_seeds():
    found = probe_values(by_seed([0.2, 0.4], [0.6, 0.4]), "row", "synonymy")
    assert found.tolist() == pytest.approx([0.4, 0.4])


def test_seeds_with_other_items_are_pooled():
    found = probe_values(by_seed([0.2, 0.4], [0.6]), "row", "synonymy")
    assert found.tolist() == [0.2, 0.4, 0.6]


def test_a_cell_has_its_range_where_there_are_several_seeds():
    assert with_range([0.5694]) == "0.569"
    assert with_range([0.5, -0.25]) == "0.125 (-0.25 to 0.50)"
