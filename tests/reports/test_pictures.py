import numpy as np
import pytest

from dragoman.metrics.report import paired_values
from dragoman.reports.curves import language_shares, precision_recall, relevant_shares
from dragoman.reports.pictures import (
    as_svg,
    differences,
    group_means,
    languages_by_rank,
    pair_matrix,
    precision_recall_curves,
    save,
)
from small_reports import JUDGMENTS, LANGUAGES, RIGHT, WRONG, report


@pytest.fixture(scope="module")
def both():
    return report()


def test_bars_are_the_differences_in_order(both):
    first, second = paired_values(both.runs[0].by_query, both.runs[1].by_query, "RR")
    first = first.copy()
    first[3] = 0.0
    (axes,) = differences(first, second, ("right", "wrong"), "RR").axes
    heights = [bar.get_height() for bar in axes.patches]
    assert heights == sorted(heights, reverse=True)
    assert sum(heights) == pytest.approx(float((first - second).sum()))
    assert axes.get_title() == "right better in 11 queries, wrong in 1"


def test_curves_have_the_names_of_runs():
    curves = {"right": precision_recall(RIGHT, JUDGMENTS), "wrong": np.zeros(11)}
    (axes,) = precision_recall_curves(curves).axes
    assert [line.get_label() for line in axes.lines] == ["right", "wrong"]


def test_pairs_have_a_bar_for_every_run(both):
    groups = {
        pair: {run.run: run.pairs[pair]["RR"] for run in both.runs} for pair in both.runs[0].pairs
    }
    (axes,) = group_means(groups, "RR").axes
    assert len(axes.patches) == 4
    assert [label.get_text() for label in axes.get_xticklabels()] == ["en-de", "en-it"]


def test_a_matrix_has_a_cell_for_every_pair():
    figure = pair_matrix({"en-de": 0.25, "en-it": 0.5, "fr-de": 1.0}, "RR", "right")
    axes = figure.axes[0]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["en", "fr"]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["de", "it"]
    assert [text.get_text() for text in axes.texts] == ["0.25", "0.50", "1.00"]


def test_languages_fill_the_ranks():
    figure = languages_by_rank(
        language_shares(WRONG, LANGUAGES, 3), "wrong", relevant_shares(JUDGMENTS, LANGUAGES)
    )
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert legend == ["de (50% of relevant)", "it (50% of relevant)"]
    svg = as_svg(figure)
    assert svg.startswith("<svg")
    assert "<script" not in svg


def test_a_picture_is_saved_by_its_ending(tmp_path):
    figure = precision_recall_curves({"one": np.ones(11)})
    save(figure, tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
