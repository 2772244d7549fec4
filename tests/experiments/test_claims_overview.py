"""The claims of several reports in one table for each paper."""

import numpy as np
import pytest

from dragoman.errors import InputError
from dragoman.experiments.claims import (
    Article,
    ClaimedGain,
    evaluate_claims,
    read_claims,
    write_claims,
)
from dragoman.experiments.claims_overview import claims_files, overview
from dragoman.metrics.significance import holm

rng = np.random.default_rng(0)
NOISE = rng.normal(0, 0.5, 40)
NEARLY = (NOISE - NOISE.mean() + 0.095, np.zeros(40))  # p is between .025 and .05


def claims_of(text, pair, **given):
    return evaluate_claims([ClaimedGain(text, "AP", {"de": pair, "fr": pair}, **given)])


@pytest.fixture
def reports(tmp_path):
    """Two reports of one paper with a claim each, and one of another paper."""
    claims = {
        "one": (Article.SMOOTH, claims_of("a is above b", NEARLY, paper=0.9)),
        "two": (
            Article.SMOOTH,
            claims_of("a is above c", NEARLY) + claims_of("x", NEARLY, extension=True),
        ),
        "other": (Article.SEARCHER, claims_of("y is above z", NEARLY)),
    }
    for name, (article, some) in claims.items():
        write_claims(tmp_path / name / "claims.csv", some, article, f"setting {name}")
    return [tmp_path / name for name in claims]


def test_claims_are_read_as_they_were_written(tmp_path):
    claims = claims_of("a is above b", NEARLY, paper=0.9, digits=2)
    write_claims(tmp_path / "claims.csv", claims, Article.SMOOTH, "French")
    again = read_claims(tmp_path / "claims.csv")
    assert [(article, setting) for article, setting, _ in again] == [(Article.SMOOTH, "French")] * 3
    for claim, (_, _, found) in zip(claims, again, strict=True):
        assert (found.text, found.group, found.verdict) == (claim.text, claim.group, claim.verdict)
        assert found.difference == pytest.approx(claim.difference, abs=1e-6)
        assert found.raw_p_value == pytest.approx(claim.raw_p_value, rel=1e-3)
        assert (found.paper, found.digits) == (claim.paper, claim.digits)


def test_p_values_are_corrected_over_the_reports_of_a_paper(reports):
    (alone, *_) = claims_of("a is above b", NEARLY)
    assert 0.025 < alone.p_value < 0.05
    text = overview(claims_files(reports))
    both = holm([alone.p_value] * 2)[0]
    first = next(line for line in text.splitlines() if line.startswith("| a is above b |"))
    assert first.startswith("| a is above b | setting one | AP | not shown | +0.095 |")
    assert first.endswith(f"| {both:.4f} | +0.900 |")
    other = next(line for line in text.splitlines() if line.startswith("| y is above z |"))
    assert other.endswith(f"| {alone.p_value:.4f} |  |")


def test_papers_and_extensions_stand_apart(reports):
    text = overview(claims_files(reports))
    smooth, _, searcher = text.partition(f"### {Article.SEARCHER}")
    assert f"### {Article.SMOOTH}" in smooth
    of_paper, _, extensions = smooth.partition("Comparisons that the paper does not make:")
    assert "| a is above c | setting two |" in of_paper
    assert "| x | setting two |" in extensions
    assert "| y is above z | setting other |" in searcher
    assert str(Article.WASSERSTEIN) not in text


def test_a_report_without_claims_is_refused(tmp_path, reports):
    with pytest.raises(InputError, match=r"no claims.csv.*expected reports of"):
        claims_files([*reports, tmp_path])
    (tmp_path / "claims.csv").write_text("claim,p\n")
    with pytest.raises(InputError, match="claim,p"):
        overview([tmp_path / "claims.csv"])
