import pytest

from dragoman.reports.settings_notes import notes, settings_lines, signature
from small_reports import JUDGMENTS, RIGHT, report


@pytest.fixture(scope="module")
def both():
    return report()


def test_notes_state_how_intervals_tests_and_marks_were_made(both):
    text = " ".join(notes(both, 0.01))
    assert "seed 7" in text
    assert "2,000 draws" in text
    assert "10,000 draws" in text
    assert "p-values after Holm over 2 comparisons" in text
    assert "p < 0.01" in text
    assert f"{len(JUDGMENTS)} queries" in text
    assert both.settings.judgments in text


def test_one_run_has_no_tests_and_no_marks():
    alone = report(one=RIGHT)
    assert notes(alone) == settings_lines(alone)
    assert not [line for line in notes(alone) if line.startswith(("Tests", "Letters"))]
    assert "test:" not in signature(alone)


def test_another_level_is_another_signature(both):
    assert signature(both, 0.05) != signature(both, 0.01)
    assert signature(both).endswith(f"|seed:7|v:{both.settings.version}")
