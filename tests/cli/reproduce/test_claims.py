"""``dragoman reproduce claims``."""

import numpy as np
import pytest

from commands import run
from dragoman.errors import InputError
from dragoman.experiments.claims import Article, ClaimedGain, evaluate_claims, write_claims


def test_the_claims_of_reports_become_a_section(tmp_path):
    values = np.linspace(0.5, 1, 20)
    claims = evaluate_claims([ClaimedGain("a is above b", "AP", {"": (values, values - 0.1)})])
    write_claims(tmp_path / "report" / "claims.csv", claims, Article.SMOOTH, "French")
    page = tmp_path / "results.md"
    run("reproduce", "claims", tmp_path / "report", "--page", page)
    text = page.read_text()
    assert text.count("<!-- claims: begin -->") == 1
    assert f"- command: `dragoman reproduce claims {tmp_path / 'report'}`" in text
    assert "| a is above b | French | AP | holds | +0.100 |" in text


def test_a_folder_without_claims_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"no claims.csv"):
        run("reproduce", "claims", tmp_path)
