"""Translations by Apertium, where it is installed."""

import pytest

from dragoman.experiments.searcher import apertium


def test_apertium_reports_why_it_is_unavailable_or_translates():
    assert "no Apertium pair" in apertium.why_unavailable("so", "en")
    if reason := apertium.why_unavailable("es", "en"):
        pytest.skip(reason)
    found = apertium.translate(["La casa es roja.\nHola", "", "el agua"], "es", "en")
    assert len(found) == 3
    assert "house" in found[0].lower()
    assert "water" in found[2].lower()
