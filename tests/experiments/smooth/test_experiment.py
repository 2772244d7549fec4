"""The paper's tables and figures from trainings on a toy collection."""

import csv
import json
import shutil
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")
pytest.importorskip("matplotlib", reason="needs the extra plots")

import torch

from dragoman.embeddings.word_vectors import WordVectors
from dragoman.errors import UserError
from dragoman.experiments.smooth import experiment, runs
from dragoman.experiments.smooth.experiment import reproduce
from dragoman.experiments.smooth.figures import HEAT_STEPS, gradient_grid
from dragoman.experiments.smooth.plan import (
    FULL,
    SCALES,
    TINY,
    SmoothPart,
    architectures,
    authors,
    epsilons,
    losses,
    printed,
    untrained,
)
from dragoman.experiments.smooth.report import ORDINARY_LENGTHS, section_name, write_html
from dragoman.experiments.smooth.report import report as write_report
from dragoman.experiments.smooth.runs import SmoothTraining, SmoothTrainingResult, run_training
from dragoman.experiments.smooth.tables import compare_results, table_markdown
from dragoman.systems.smooth.config import SmoothModelConfig
from dragoman.systems.smooth.grid import Grid
from dragoman.systems.smooth.losses import SmoothOrdinalSearchLoss
from dragoman.systems.smooth.training_data import JudgedPairs, read_training_data
from dragoman.systems.smooth.validation import MEASURES
from dragoman.systems.smooth.vocabulary import SmoothTokenizer
from dragoman.text.collection import Collection
from small_graded import write_collection

PRINTED = {f"{loss}, targets as printed" for loss in ("SOSL", "3-part", "MSE", "PO")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_collection(tmp_path_factory.mktemp("graded"))


@pytest.fixture(scope="module")
def data(folder):
    return read_training_data(Collection.open(folder), SmoothTokenizer(SmoothModelConfig()))


@pytest.fixture(scope="module")
def report(folder, tmp_path_factory):
    output = tmp_path_factory.mktemp("report")
    results = reproduce(folder, output, TINY)
    write_html(output, results, "the command")
    return output, results


def test_everything_of_the_paper_is_written(report):
    output, results = report
    names = {path.name for path in output.iterdir()}
    assert {f"figure-{n}.{kind}" for n in range(1, 6) for kind in ("png", "csv")} <= names
    assert {
        "table-2.csv",
        "table-3.csv",
        "authors.csv",
        "claims.csv",
        "stability.csv",
        "report.html",
        "runs",
    } <= names
    # the rows as printed stand in the table of the losses
    assert set(results.trainings) == set(SmoothPart) - {SmoothPart.PRINTED, SmoothPart.STABILITY}
    html = (output / "report.html").read_text()
    for expected in (
        "the command",
        "Table 2",
        "Table 3",
        "As printed, as coded, ours",
        "3-part",
        "LSTM",
        "figure-5.png",
        "P_mr@1",
    ):
        assert expected in html


def test_a_table_has_all_losses_and_measures_with_intervals(report):
    output, _ = report
    with (output / "table-2.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    assert {row["row"] for row in rows} == {
        "SOSL",
        "3-part",
        "MSE",
        "PO",
        "steep PO",
        "first vectors",
        *PRINTED,
    }
    assert {row["measure"] for row in rows} == set(MEASURES)
    for row in rows:
        assert float(row["low"]) <= float(row["mean"]) <= float(row["high"])
        # the documents are Italian, which the paper has
        assert bool(row["paper"]) == (row["row"] in {"SOSL", "3-part", "MSE", "PO"})
    assert all((row["p_value"] == "") == (row["row"] == "SOSL") for row in rows)


def test_claims_stand_beside_the_differences_of_the_paper(report):
    _, results = report
    printed = {claim.text: claim.paper for claim in results.claims[SmoothPart.LOSSES]}
    assert printed["SOSL is above MSE"] == pytest.approx(0.798 - 0.731)  # nDCG@5 in Italian
    assert printed["SOSL is above steep PO"] is None
    printed = {claim.text: claim.paper for claim in results.claims[SmoothPart.ARCHITECTURES]}
    assert printed["average pooling is above CNN"] == pytest.approx(0.798 - 0.656)


def test_the_section_names_command_sizes_and_sweeps(report):
    text = write_report(report[1], "the command")
    for expected in (
        "the command",
        "en-it",
        "12 queries",
        "| epsilon |",
        "| negatives |",
        "scale: tiny: thresholds by grid search among 0.2, 0.5, 0.7",
        "| SOSL is above MSE | nDCG@5 |",
        "| SOSL | 2 | 12 |",
        "nDCG@5 of the validation queries after every epoch",
        "| drawn | 0 | off",
        "| epsilon 0 spreads more than epsilon 1 | spread of nDCG@5 |",
        "| ours is above as printed | nDCG@5 |",
        "| ours is above as coded | nDCG@5 |",
        "| LSTM, ours is above LSTM, as printed | nDCG@5 |",
    ):
        assert expected in text


def test_the_full_scale_alone_is_not_named_in_markers_and_headings(report):
    _, tiny = report
    full = replace(tiny, scale=FULL)
    assert section_name(tiny) == "smooth-en-it-tiny"
    assert section_name(tiny, "losses,printed") == "smooth-en-it-losses-printed-tiny"
    assert section_name(full) == "smooth-en-it"
    assert section_name(full, "stability") == "smooth-en-it-stability"
    for results, parts, heading, stability in (
        (tiny, "", "## Smooth learning: en-it (tiny scale)", "### Stability: en-it, tiny scale"),
        (tiny, "losses,printed", "## Smooth learning: en-it (losses, printed, tiny scale)", ""),
        (full, "", "## Smooth learning: en-it", "### Stability: en-it"),
        (full, "stability", "## Smooth learning: en-it (stability)", "### Stability: en-it"),
    ):
        first, *lines = write_report(results, "the command", parts).splitlines()
        assert first == heading
        assert not stability or stability in lines


def test_a_section_of_other_vectors_has_a_name_of_its_own(report):
    full = replace(report[1], scale=FULL)
    assert section_name(full, "stability", "monolingual") == "smooth-en-it-stability-monolingual"
    lines = write_report(full, "the command", "stability", "monolingual").splitlines()
    assert lines[0] == "## Smooth learning: en-it (stability, monolingual)"
    assert "### Stability: en-it, monolingual" in lines


def test_three_readings_are_compared_and_share_trainings_with_the_tables(report):
    output, results = report
    table = results.tables[SmoothPart.AUTHORS]
    assert list(table.rows) == ["ours", "as printed", "as coded", "LSTM, ours", "LSTM, as printed"]
    tables = results.trainings
    for name, part in (
        ("loss-sosl", SmoothPart.LOSSES),
        ("printed-sosl", SmoothPart.LOSSES),
        ("architecture-lstm", SmoothPart.ARCHITECTURES),
    ):
        shared = tables[SmoothPart.AUTHORS][name]
        assert shared.seconds == tables[part][name].seconds
    assert all(claim.extension for claim in results.claims[SmoothPart.AUTHORS])
    with (output / "authors.csv").open() as stream:
        assert {row["row"] for row in csv.DictReader(stream)} == set(table.rows)


def test_the_authors_code_differs_in_loss_cosine_clip_texts_and_lengths():
    as_printed, as_coded, lstm, lstm_as_printed = authors(FULL, (0.1, 0.6), own_lengths=True)
    assert as_printed == printed(FULL)[0]
    assert lstm == architectures(FULL, (0.1, 0.6))[1]
    config = as_coded.config
    assert (config.loss, config.limit, config.model.epsilon) == ("all-threshold", 1.0, 0.0)
    assert (config.train.max_gradient_norm, config.own_lengths) == (5.0, True)
    assert as_coded.authors_texts
    assert as_coded.settings()["authors_texts"] is True
    assert (as_coded.grid, as_coded.rates) == (FULL.grid, FULL.rates)
    model = replace(lstm_as_printed.config.model, architecture="lstm")
    assert replace(lstm_as_printed.config, model=model) == lstm.config
    assert lstm_as_printed.config.model.architecture == "lstm-first-position"


@pytest.mark.parametrize("known", [True, False])
def test_given_vectors_without_lengths_are_noted(folder, tmp_path, monkeypatch, known):
    lengths = np.full(2, 3.0, dtype=np.float32) if known else None
    matrix = np.eye(2, 64, dtype=np.float32)
    given = {"en": WordVectors("en", ("thing1", "page1"), matrix, lengths=lengths)}
    monkeypatch.setattr(experiment, "load_vectors", lambda *_: given)
    results = reproduce(folder, tmp_path, TINY, parts=[SmoothPart.AUTHORS])
    coded = results.trainings[SmoothPart.AUTHORS]["coded-sosl"]
    assert coded.settings["config"]["own_lengths"] is known
    text = write_report(results, "the command", "authors")
    assert (ORDINARY_LENGTHS in text) is not known
    write_html(tmp_path, results, "the command")
    assert (ORDINARY_LENGTHS.split(";")[1] in (tmp_path / "report.html").read_text()) is not known


def test_a_training_that_is_done_is_not_repeated(data, tmp_path, monkeypatch):
    run = losses(TINY)[0]
    first = run_training(run, data, {}, tmp_path)
    monkeypatch.setattr(runs, "train", lambda *_: pytest.fail("trained again"))
    again = run_training(run, data, {}, tmp_path)
    assert {name: column.tolist() for name, column in again.values.items()} == {
        name: column.tolist() for name, column in first.values.items()
    }
    assert again.grades == first.grades
    assert again.learning_rate == first.learning_rate
    other = replace(run, config=replace(run.config, thresholds=(0.1, 0.5)))
    with pytest.raises(pytest.fail.Exception, match="trained again"):
        run_training(other, data, {}, tmp_path)
    vectors = {"en": WordVectors("en", ("thing1",), np.ones((1, 64), dtype=np.float32))}
    with pytest.raises(pytest.fail.Exception, match="trained again"):
        run_training(run, data, vectors, tmp_path)


def test_what_is_done_so_far_can_be_reported(folder, report, tmp_path):
    output, whole = report
    copied = tmp_path / "copy"
    shutil.copytree(output, copied)
    (copied / "runs" / "architecture-lstm.json").unlink()
    (copied / "runs" / "epsilon-0.json").unlink()
    for path in (copied / "runs").glob("negatives-*"):
        path.unlink()
    some = reproduce(folder, copied, TINY, only_done=True)
    assert list(some.tables[SmoothPart.ARCHITECTURES].rows) == ["average pooling", "CNN"]
    assert list(some.trainings[SmoothPart.EPSILON]) == ["epsilon-1"]
    assert SmoothPart.NEGATIVES not in some.trainings
    assert some.tables[SmoothPart.LOSSES].rows == whole.tables[SmoothPart.LOSSES].rows
    with pytest.raises(UserError, match="found no training with SOSL"):
        reproduce(folder, tmp_path / "nothing", TINY, only_done=True)


def test_grades_have_final_scores_and_gradients(data, tmp_path):
    result = run_training(losses(TINY)[0], data, {}, tmp_path)
    assert len(result.grades) == 3
    assert sum(grade.pairs for grade in result.grades) == len(data.pairs["train"])
    assert sum(grade.pull for grade in result.grades) == pytest.approx(1)
    for grade in result.grades:
        assert sum(grade.density) * 2 / len(grade.density) == pytest.approx(1)
        assert -1 <= grade.mean <= 1
        assert 0 <= grade.unsettled <= 1


def test_pulls_are_slopes_of_the_loss():
    pairs = JudgedPairs(np.zeros(4, dtype=int), np.arange(4), np.array([0, 0, 1, 2]))
    scores = np.array([0.1, 0.5, 0.3, 0.2], dtype=np.float32)
    found = runs._pulls(scores, pairs, SmoothOrdinalSearchLoss())
    assert found.tolist() == pytest.approx([0, 0.6, 0, 1.0], abs=1e-6)


def test_the_better_learning_rate_by_validation_is_used(data, tmp_path):
    run = replace(losses(TINY)[0], grid=None, rates=(1e-9, 0.05))
    found = run_training(run, data, {}, tmp_path)
    assert found.learning_rate == 0.05
    alone = run_training(replace(run, name="alone", rates=(0.05,)), data, {}, tmp_path)
    assert alone.values["AP"].tolist() == found.values["AP"].tolist()


def test_first_vectors_alone_are_measured(data, tmp_path):
    found = run_training(untrained(TINY), data, {}, tmp_path)
    assert found.epochs == ()
    assert found.best_epoch == 0


def result_of(name, values):
    columns = dict.fromkeys(MEASURES, np.array(values))
    return SmoothTrainingResult(
        name, {"grid": None}, (0.2, 0.7), 0.01, 1, ({"steps": 1},), 1.0, columns
    )


def test_a_clear_difference_has_a_star_and_a_chance_one_has_none():
    rng = np.random.default_rng(0)
    base = rng.random(200)
    results = {
        "SOSL": result_of("a", base),
        "worse": result_of("b", base - 0.2 + 0.01 * rng.random(200)),
        "same": result_of("c", base + 0.001 * rng.standard_normal(200)),
    }
    lines = {
        line.split("|")[1].strip(): line
        for line in table_markdown(compare_results("t", results, "xx"))
    }
    assert "\\*" in lines["worse"]
    assert "\\*" not in lines["same"]
    assert "\\*" not in lines["SOSL"]


def test_the_heat_map_is_the_derivative_and_explodes_only_without_smoothing():
    ticks = np.linspace(-1, 1, HEAT_STEPS)
    heat = gradient_grid(0.5, ticks)
    x = torch.tensor([ticks[60], ticks[10]])  # x1, x2
    step = torch.tensor([1e-5, 0.0], dtype=torch.float64)

    def cosine(vector):
        one = torch.ones(2, dtype=torch.float64)
        return float(vector @ one / ((vector.norm() + 0.5) * (one.norm() + 0.5)))

    by_hand = (cosine(x + step) - cosine(x - step)) / 2e-5
    assert heat[10, 60] == pytest.approx(by_hand, rel=1e-4)
    assert np.abs(heat).max() <= 2
    assert np.abs(gradient_grid(0.0, ticks)).max() > 10


def test_the_full_scale_follows_the_paper():
    assert [run.config.model.epsilon for run in epsilons(FULL)] == [n / 4 for n in range(9)]
    assert FULL.negatives == tuple(range(20, 101, 10))
    by_name = {run.name: run.config for run in architectures(FULL, (0.1, 0.6))}
    assert by_name["architecture-lstm"].batch.size == 64
    assert by_name["architecture-cnn"].train.learning_rate == 0.001
    assert by_name["architecture-cnn"].thresholds == (0.1, 0.6)
    assert all(run.config.model.epsilon == 1 for run in losses(FULL))


def test_the_medium_scale_has_fewer_queries_and_the_same_choices():
    medium = SCALES["medium"]
    assert medium.queries == {"train": 5000, "validation": 1500}  # all test queries
    assert (medium.rates, medium.grid.values) == (FULL.rates, FULL.grid.values)
    assert set(medium.epsilons) <= set(FULL.epsilons)


def test_settings_of_a_run_are_plain():
    run = SmoothTraining(name="x", config=losses(TINY)[0].config)
    assert json.loads(json.dumps(run.settings())) == run.settings()


def test_results_that_were_saved_by_earlier_versions_are_used():
    """The settings of an ordinary training, as they have always been written."""
    model = {
        "architecture": "average", "epsilon": 1.0, "dimension": 64, "longest": 200,
        "count_padding": False, "dropout": 0.4, "stop": False,
    }  # fmt: skip
    train = {
        "epochs": 2, "learning_rate": 0.01, "decay": 1.0, "warm_up": 0, "max_gradient_norm": 0.0,
        "patience": 2, "precision": "no", "seed": 0,
    }  # fmt: skip
    batch = {"size": 128, "shuffle": True, "bucket": 1, "together": 1, "seed": 0}
    config = {
        "model": model, "loss": "sosl", "thresholds": [0.2, 0.7], "limit": (8 / 9) ** 2,
        "train": train, "batch": batch,
        "negatives": 0, "words": 100_000, "seen": 2, "own_lengths": False,
    }  # fmt: skip
    grid = {"values": [0.2, 0.5, 0.7], "epochs": 1, "train": 6, "validation": 4}
    assert losses(TINY)[0].settings() == {
        "name": "loss-sosl", "config": config, "negatives": 0, "grid": grid, "rates": [0.01],
    }  # fmt: skip


def test_table_2_has_the_losses_of_the_paper_and_steep_proportional_odds():
    names = [run.name for run in losses(FULL)]
    assert names == ["loss-sosl", "loss-three-part", "loss-mse", "loss-po", "loss-po-steep"]


def test_only_average_pooling_has_a_highest_score():
    limits = {run.name: run.config.limit for run in [*losses(FULL), *printed(FULL)]}
    assert {limits[name] for name in limits if name.startswith("loss-")} == {(8 / 9) ** 2}
    assert {limits[name] for name in limits if name.startswith("printed-")} == {1.0}
    assert {run.config.limit for run in architectures(FULL, (0.2, 0.7))} == {1.0}
    by_epsilon = {run.config.model.epsilon: run.config.limit for run in epsilons(FULL)}
    assert by_epsilon[0.0] == 1.0
    assert by_epsilon[2.0] == pytest.approx(0.64)


def test_an_optimum_at_the_edge_of_the_grid_is_flagged(data, tmp_path):
    grid = Grid(values=(0.2, 0.7), epochs=1, train=6, validation=4)
    run = replace(losses(TINY)[0], grid=grid, rates=())
    result = run_training(run, data, {}, tmp_path)
    assert result.at_edge
    notes = compare_results("t", {"SOSL": result}, "it").notes
    assert "at the edge of the grid" in notes["SOSL"]
    inside = replace(result, thresholds=(0.3, 0.4))
    assert not inside.at_edge
    assert not replace(result, settings={**result.settings, "grid": None}).at_edge
