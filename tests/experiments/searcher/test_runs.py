"""Saved runs of trainings."""

import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.experiments.searcher.runs import DetectionRun, held_out_precision


def test_curves_are_means_over_seeds_as_far_as_all_were_trained():
    def run(*values):
        epochs = [{"validation": {"AP": value}} for value in values]
        return DetectionRun("row", {}, {}, 0.0, epochs)

    assert held_out_precision([run(0.2, 0.4, 0.5), run(0.4, 0.5)]) == pytest.approx([0.3, 0.45])
    assert held_out_precision([DetectionRun("row", {}, {}, 0.0)]) == []
