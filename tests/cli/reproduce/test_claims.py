"""``dragoman reproduce claims``."""

import numpy as np
import pytest

from commands import run
from dragoman.errors import InputError
from dragoman.experiments.claims import ClaimedGain, claims_markdown, evaluate_claims
from dragoman.experiments.sections import write_section


def test_the_claims_of_a_page_become_a_section_of_it(tmp_path):
    values = np.linspace(0.5, 1, 20)
    claims = evaluate_claims([ClaimedGain("a is above b", "AP", {"": (values, values - 0.1)})])
    page = tmp_path / "results.md"
    text = "\n".join(["## Smooth learning: en-fr", *claims_markdown(claims)])
    write_section(page, "smooth-en-fr", text)
    for _ in range(2):  # a second call replaces the section, and does not read it
        run("reproduce", "claims", page)
        text = page.read_text()
        assert text.count("<!-- claims: begin -->") == 1
        assert f"- command: `dragoman reproduce claims {page}`" in text
        row = "| a is above b | [en-fr](#smooth-learning-en-fr) | AP | holds | +0.100 |"
        assert text.count(row) == 1


def test_a_page_without_claims_is_refused(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        run("reproduce", "claims", tmp_path / "results.md")
    (tmp_path / "results.md").write_text("# Results\n")
    with pytest.raises(InputError, match=r"no tables of claims.*expected sections"):
        run("reproduce", "claims", tmp_path / "results.md")
