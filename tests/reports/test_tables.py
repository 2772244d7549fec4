import csv
import io

import pytest

from dragoman.errors import ConfigError
from dragoman.metrics.report import Report
from dragoman.reports.tables import (
    as_csv,
    as_latex,
    as_markdown,
    queries_as_csv,
    table_rows,
)
from small_reports import QUERIES, RIGHT, report


@pytest.fixture(scope="module")
def both() -> Report:
    return report()


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_the_better_run_is_marked_with_the_letter_of_the_other(both):
    first, second = table_rows(both)[:2]
    assert (first.letter, second.letter) == ("a", "b")
    assert first.marks == {"nDCG@10": "b", "RR": "b"}
    assert second.marks == {}


def test_equal_runs_have_no_marks():
    same = report(one=RIGHT, two=RIGHT)
    assert all(not row.marks for row in table_rows(same))


def test_a_stricter_level_removes_marks(both):
    lowest = min(test.randomisation_holm for test in both.tests)
    assert not any(row.marks for row in table_rows(both, alpha=lowest))


def test_csv_has_means_intervals_and_pairs(both):
    lines = read(as_csv(both))
    assert {line["group"] for line in lines} == {"all", "en-de", "en-it"}
    first = lines[0]
    assert (first["run"], first["measure"], first["above"]) == ("right", "nDCG@10", "wrong")
    assert float(first["mean"]) == 1.0
    assert float(first["low"]) <= 1.0 <= float(first["high"])


def test_every_line_of_csv_has_what_it_can_be_compared_by(both):
    (cell,) = {line["signature"] for line in read(as_csv(both, alpha=0.01))}
    assert cell.startswith(f"judgments:{both.settings.judgments}|interval:bootstrap,0.95,2000|")
    assert "|test:permutation,10000,Holm,2,p<0.01|seed:7|v:" in cell
    (alone,) = {line["signature"] for line in read(as_csv(report(one=RIGHT)))}
    assert "test:" not in alone


def test_values_of_queries_are_those_of_the_mean(both):
    lines = read(queries_as_csv(both))
    assert [line["query"] for line in lines] == QUERIES
    mean = sum(float(line["wrong nDCG@10"]) for line in lines) / len(lines)
    assert mean == pytest.approx(both.runs[1].measures["nDCG@10"].mean)


def test_latex_is_escaped_and_the_best_is_bold():
    text = as_latex(report(**{"50%_a": RIGHT, "b": RIGHT[:6]}))
    assert r"50\%\_a & \textbf{1.000}" in text
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 1
    assert text.count("&") % 3 == 0  # four columns in every line that has cells


def test_signs_that_have_a_meaning_are_escaped():
    odd = report(**{"a^b\\c|d": RIGHT})
    assert r"a\textasciicircum{}b\textbackslash{}c|d" in as_latex(odd)
    assert r"c\|d" in as_markdown(odd)


def test_markdown_has_superscripts_and_states_its_settings(both):
    text = as_markdown(both)
    assert "| a right | **1.0000**<sup>b</sup> |" in text
    assert "2,000 draws" in text


def test_more_runs_than_letters_are_refused():
    many = {f"r{number}": RIGHT[:1] for number in range(27)}
    with pytest.raises(ConfigError, match="27 runs"):
        table_rows(report(measures="RR", **many))
