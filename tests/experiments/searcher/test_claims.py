"""Sentences about rows whose values are known."""

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("torch", reason="needs the extra neural")

from dragoman.experiments.searcher.claims import TRANSLATIONS, verdicts
from dragoman.experiments.searcher.experiment import FUSION
from dragoman.experiments.searcher.values import Value

ROWS = {
    "threshold": 0.1, "document translation": 0.2, "query translation": 0.1, "psq": 0.3,
    "document translation + source": 0.25, "searcher-softmax": 0.1,
    "searcher-softmax-pretrained": 0.2, "searcher-softmax-aligned": 0.5, "searcher-max": 0.05,
    "searcher-max-pretrained": 0.05, "searcher-max-aligned": 0.4, FUSION: 0.6,
}  # fmt: skip


def outcome(language, rows, development=None):
    noise = np.random.default_rng(0).normal(0, 0.05, 50)
    noise -= noise.mean()
    values = [
        # every row has queries of its own that suit it, so that tests have something to decide
        Value(name, "raw", 0.5, mean + np.roll(noise, number), 1.0, (development or rows)[name], 0)
        for number, (name, mean) in enumerate(rows.items())
    ]
    return SimpleNamespace(task=SimpleNamespace(language=language), values=tuple(values))


def said(outcomes):
    return {sentence.partition(":")[0]: sentence for sentence in verdicts(outcomes)}


def test_differences_are_told_language_by_language():
    poorer = ROWS | {FUSION: 0.15, "psq": 0.15}
    found = said([outcome("so", ROWS), outcome("bg", poorer)])
    fusion = found["The fusion with psq against the best translation baseline of the test itself"]
    assert "above in 1 of 2 languages (so +0.350, bg -0.100)" in fusion
    assert "above in 1 and below in 1; mean difference +0.125" in fusion
    aligned = found["Softmax pooling from aligned vectors against from nothing"]
    assert "(so +0.400, bg +0.400)" in aligned


def test_the_searcher_is_the_one_that_development_chose():
    liked = ROWS | {"searcher-max": 0.9}
    found = said([outcome("so", ROWS, development=liked)])
    (sentence,) = (one for key, one in found.items() if key.endswith("the threshold baseline"))
    assert "(so -0.050)" in sentence


def test_equal_rows_are_not_beyond_chance():
    found = said([outcome("so", ROWS)])
    sentence = found["Max pooling after pre-training against from nothing"]
    assert "above in 0 and below in 0" in sentence


def test_a_baseline_that_did_not_run_is_left_out():
    assert "apertium" in TRANSLATIONS
    rows = {name: value for name, value in ROWS.items() if name != "query translation"}
    assert "above in 1 of 1" in next(iter(said([outcome("so", rows)]).values()))
