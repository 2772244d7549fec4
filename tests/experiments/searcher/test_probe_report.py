"""Claims about models from the values of their probes."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.experiments.searcher.plan import SCALES
from dragoman.experiments.searcher.probe_report import FEWEST, PROBES, probe_gains

SMALL = SCALES["small"]
ROWS = ("searcher-softmax", "searcher-max", "searcher-softmax-aligned-4-blocks")


def result(language, items, **values):
    probes = {name: [values.get(name, 0.0)] * items for name in PROBES}
    runs = {row: SimpleNamespace(facts={"probes": probes}) for row in ROWS}
    return SimpleNamespace(task=SimpleNamespace(language=language), runs=runs)


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
