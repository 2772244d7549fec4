import pytest

from dragoman.runs import tracking
from dragoman.runs.tracking import tracked


def test_times_are_measured_without_the_tracker(monkeypatch):
    monkeypatch.setattr(tracking, "find_spec", lambda name: None)
    with tracked() as facts:
        sum(range(1000))
    runtime = facts["resources"]["runtime"]
    assert runtime["wallclock"].endswith(" ms")
    assert runtime["start time"] <= runtime["stop time"]
    assert "platform" not in facts


def test_the_tracker_adds_memory_and_hardware():
    pytest.importorskip("tirex_tracker", reason="the extra tracking is not installed")
    with tracked() as facts:
        sum(range(100_000))
    assert facts["resources"]["ram"]["used process"]["max"] > 0
    assert facts["platform"]["hardware"]["cpu"]["number of cores"] >= 1
    assert "timeseries" not in str(facts)
    assert "0 MHz" not in str(facts)
    assert facts["tracker"].startswith("tirex-tracker")


def test_an_error_passes_through():
    with pytest.raises(RuntimeError, match="stop"), tracked():
        raise RuntimeError("stop")


def test_frequencies_that_are_not_told_are_left_out():
    told = {"frequency": {"avg": 0, "max": 2400}, "frequency max": "2400 MHz", "threads": 0}
    assert tracking._without_series(told) == told
    unknown = {"frequency": {"avg": 0, "max": 0}, "frequency max": "0 MHz", "threads": 0}
    assert tracking._without_series(unknown) == {"threads": 0}
