"""The claims of a page in one table for each paper."""

import numpy as np
import pytest

from dragoman.experiments.claims import ClaimedGain, claims_markdown, evaluate_claims
from dragoman.experiments.claims_overview import TITLES, Paper, overview, read_tables
from dragoman.experiments.sections import write_section

rng = np.random.default_rng(0)
NOISE = rng.normal(0, 0.5, 40)
NEARLY = (NOISE - NOISE.mean() + 0.095, np.zeros(40))  # p is between .025 and .05


def claims_of(text, pair, **given):
    return evaluate_claims([ClaimedGain(text, "AP", {"de": pair, "fr": pair}, **given)])


CLAIMS = {
    "smooth-en-fr": claims_of("a is above b", NEARLY, paper=0.9, digits=2),
    "smooth-en-it": claims_of("a is above c", NEARLY) + claims_of("x", NEARLY, extension=True),
    "searcher-full": claims_of("y is above z", NEARLY),
}
HEADINGS = {
    "smooth-en-fr": "Smooth learning: en-fr",
    "smooth-en-it": "Smooth learning: en-it (medium)",
    "searcher-full": "SEARCHER: full",
}


@pytest.fixture
def page(tmp_path):
    """Two sections of one paper with claims, one of another, and one of an older version."""
    path = tmp_path / "results.md"
    for name, claims in CLAIMS.items():
        lines = [f"## {HEADINGS[name]}", "", "### Claims", "", *claims_markdown(claims), "", "text"]
        write_section(path, name, "\n".join(lines))
    old = "## Old\n\n| claim | measure | holds | p |\n|---|---|---|---|\n| a | AP | yes | < .05 |"
    write_section(path, "smooth-old", old)
    return path


def row(text, claim):
    return next(line for line in text.splitlines() if line.startswith(f"| {claim} |"))


def test_claims_are_read_as_they_were_written(page):
    written = [claim for claims in CLAIMS.values() for claim in claims if not claim.group]
    read = [claim for table in read_tables(page) for claim in table.claims]
    assert [(one.text, one.measure, one.extension) for one in read] == [
        (one.text, one.measure, one.extension) for one in written
    ]
    for claim, found in zip(written, read, strict=True):
        places = 10**-claim.digits / 2 + 1e-9
        assert found.digits == claim.digits
        assert found.difference == pytest.approx(claim.difference, abs=places)
        assert found.interval.low == pytest.approx(claim.interval.low, abs=places)
        assert found.interval.high == pytest.approx(claim.interval.high, abs=places)
        assert found.p_value == pytest.approx(claim.p_value, abs=5e-5)
        assert found.paper == claim.paper


def test_p_values_are_corrected_over_the_sections_of_a_paper(page):
    p_value = CLAIMS["searcher-full"][0].p_value
    assert 0.025 < p_value < 0.05
    text = overview(page)
    first = row(text, "a is above b")
    link = "[en-fr](#smooth-learning-en-fr)"
    assert first.startswith(f"| a is above b | {link} | AP | not shown | +0.10 |")
    assert first.endswith(f"| {2 * round(p_value, 4):.4f} | +0.90 |")
    assert row(text, "y is above z").endswith(f"| {p_value:.4f} |  |")
    assert " holds " in row(text, "x")  # the only table of extensions


def test_papers_and_extensions_stand_apart(page):
    text = overview(page)
    smooth, _, searcher = text.partition(f"### {TITLES[Paper.SEARCHER]}")
    of_paper, _, extensions = smooth.partition("Comparisons that the paper does not make:")
    assert "| a is above c | [en-it (medium)](#smooth-learning-en-it-medium) |" in of_paper
    assert "| x |" in extensions
    assert "| y is above z | [full](#searcher-full) |" in searcher
    assert TITLES[Paper.WASSERSTEIN] not in text
