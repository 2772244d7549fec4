"""Several seeds of the trainings of Table 2."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("matplotlib", reason="needs the extra plots")

from dragoman.experiments.smooth.experiment import reproduce
from dragoman.experiments.smooth.plan import TINY, SmoothPart
from dragoman.experiments.smooth.report import report, write_html
from dragoman.experiments.smooth.seeds import seeds_markdown
from small_graded import write_collection

MEASURE = "nDCG@5"


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("seeds")
    collection = write_collection(folder / "graded")
    arguments = (collection, folder / "report")
    one, two = (
        reproduce(*arguments, replace(TINY, seeds=seeds), parts=[SmoothPart.LOSSES])
        for seeds in (1, 2)
    )
    return one, two, folder / "report"


def test_the_second_seed_has_the_settings_of_the_first(results):
    _, two, _ = results
    for label in ("SOSL", "MSE"):
        first, second = two.seeded[label]
        assert second.thresholds == first.thresholds
        assert second.learning_rate == first.learning_rate
        assert [one.settings["config"]["train"]["seed"] for one in (first, second)] == [0, 1]
        assert second.settings["config"]["batch"]["seed"] == 1
        assert second.settings["grid"] is None
    assert len(two.seeded["first vectors"]) == 1


def test_a_row_has_the_means_over_seeds(results):
    one, two, _ = results
    row = two.labelled(SmoothPart.LOSSES)["SOSL"]
    both = [result.values[MEASURE] for result in two.seeded["SOSL"]]
    assert np.allclose(row.values[MEASURE], np.mean(both, axis=0))
    assert np.array_equal(both[0], one.labelled(SmoothPart.LOSSES)["SOSL"].values[MEASURE])


def test_the_report_has_the_ranges_over_seeds(results):
    one, two, folder = results
    text = report(two, "the command", "losses")
    assert "2 seeds of every loss" in text
    means = sorted(result.mean(MEASURE) for result in two.seeded["MSE"])
    gaps = sorted(
        first.mean(MEASURE) - other.mean(MEASURE)
        for first, other in zip(two.seeded["SOSL"], two.seeded["MSE"], strict=True)
    )
    assert (
        f"| MSE | 2 | {sum(means) / 2:.3f} | {means[0]:.3f} to {means[1]:.3f} |"
        f" {sum(gaps) / 2:+.3f} | {gaps[0]:+.3f} to {gaps[1]:+.3f} |"
    ) in text
    assert "range over seeds" in write_html(folder, two, "the command").read_text()
    assert not seeds_markdown(one.seeded, MEASURE)
    assert "| row | seeds |" not in report(one, "the command", "losses")
