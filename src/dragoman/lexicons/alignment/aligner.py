"""Packed bitext -> expected counts of word pairs: EM rounds of Model 1, then of the HMM.

The E step runs in parallel over lanes of sentence pairs, each with its own counts; the M step takes
their sum in the order of the lanes. The result is bit-identical for any number of threads.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from dragoman.errors import ConfigError
from dragoman.lexicons.alignment import hmm
from dragoman.lexicons.alignment.cooccurrence import LANES, Cooccurrence, cooccurrence
from dragoman.lexicons.alignment.estimation import estimate
from dragoman.lexicons.alignment.expectation import (
    ExpectedCounts,
    Parameters,
    add_expected_counts,
)
from dragoman.lexicons.alignment.packed_bitext import PackedBitext
from dragoman.types import FloatArray, IntArray


@dataclass(frozen=True, kw_only=True)
class AlignmentConfig:
    """How bitext is aligned; the defaults are what the shipped tables were made with."""

    model1_rounds: int = 5
    hmm_rounds: int = 5
    alpha: float = 0.0  # Dirichlet prior of a translation; 0 for maximum likelihood
    agree: bool = True  # both directions count the product of their posteriors
    drop_below: float = 1e-5  # prunes pairs below this in both directions after Model 1
    workers: int = field(default_factory=lambda: os.cpu_count() or 1)

    def __post_init__(self) -> None:
        if self.model1_rounds < 1 or self.hmm_rounds < 0:
            raise ConfigError(
                "expected at least one round of Model 1 and none or more of the HMM, got"
                f" {self.model1_rounds} and {self.hmm_rounds}"
            )
        if self.alpha < 0:
            raise ConfigError(f"alpha must not be below 0, got {self.alpha}")
        if not 0 <= self.drop_below < 1:
            raise ConfigError(f"drop_below must be in [0, 1), got {self.drop_below}")
        if self.workers < 1:
            raise ConfigError(f"workers must be at least 1, got {self.workers}")


@dataclass(frozen=True, slots=True)
class EmRound:
    """The measurements of one EM round; perplexities are per word, lower is better."""

    model: str
    number: int
    log_likelihood: float  # of both directions together, before this round's M step
    forward_perplexity: float
    backward_perplexity: float


@dataclass(frozen=True)
class AlignmentModel:
    """The parameters of both directions; translation probabilities are per slot of ``pairs``."""

    pairs: Cooccurrence
    rows: IntArray  # the source word of every slot
    parameters: Parameters


@dataclass(frozen=True)
class AlignmentResult:
    """The trained model and its last expected counts; equal ones where the directions agree."""

    model: AlignmentModel
    forward_counts: FloatArray
    backward_counts: FloatArray


def align(
    bitext: PackedBitext,
    folder: Path,
    config: AlignmentConfig,
    report: Callable[[EmRound], None] = lambda _: None,
) -> AlignmentResult:
    """Train on ``bitext``; ``folder`` is for working files and must outlive the result."""
    model = initial_model(bitext, cooccurrence(bitext, folder, config.workers))
    counts = ExpectedCounts.empty(model.parameters, config.agree)
    for number in range(1, config.model1_rounds + 1):
        counts = _expect(bitext, model, config, with_hmm=False)
        report(_round("Model 1", number, bitext, counts))
        model = _maximise(model, counts, config)
    if config.hmm_rounds:
        model = _without_rare(model, config.drop_below)
    for number in range(1, config.hmm_rounds + 1):
        counts = _expect(bitext, model, config, with_hmm=True)
        report(_round("HMM", number, bitext, counts))
        model = _maximise(model, counts, config)
    return AlignmentResult(model, counts.forward, counts.backward)


def initial_model(bitext: PackedBitext, pairs: Cooccurrence) -> AlignmentModel:
    """The model before training: every word pair that co-occurs is equally likely."""
    source_size, target_size = len(bitext.source_words), len(bitext.target_words)
    row_sizes = np.diff(pairs.starts)
    rows = np.repeat(np.arange(source_size, dtype=np.int32), row_sizes)
    column_sizes = np.bincount(pairs.columns, minlength=target_size)
    parameters = Parameters(
        forward=1.0 / row_sizes[rows],
        backward=1.0 / column_sizes[pairs.columns],
        null_forward=np.full(target_size, 1.0 / max(target_size, 1)),
        null_backward=np.full(source_size, 1.0 / max(source_size, 1)),
        jumps=np.stack([hmm.initial_jumps()] * 2),
    )
    return AlignmentModel(pairs, rows, parameters)


def _expect(
    bitext: PackedBitext, model: AlignmentModel, config: AlignmentConfig, *, with_hmm: bool
) -> ExpectedCounts:
    bounds = model.pairs.lanes()

    def count_lane(number: int) -> ExpectedCounts:
        counts = ExpectedCounts.empty(model.parameters, config.agree)
        add_expected_counts(
            *(bounds[number], bounds[number + 1], bitext.texts, bitext.weights),
            *(model.pairs.slots, model.pairs.blocks, model.parameters),
            *(with_hmm, config.agree, counts),
        )
        return counts

    with ThreadPoolExecutor(config.workers) as pool:
        lanes = pool.map(count_lane, range(LANES))
        total = next(lanes)
        for counts in lanes:
            total.add(counts)
    return total


def _maximise(
    model: AlignmentModel, counts: ExpectedCounts, config: AlignmentConfig
) -> AlignmentModel:
    sources, targets = len(counts.null_backward), len(counts.null_forward)
    jumps = counts.jumps + 1.0  # no width is impossible
    parameters = Parameters(
        forward=estimate(counts.forward, model.rows, sources, config.alpha),
        backward=estimate(counts.backward, model.pairs.columns, targets, config.alpha),
        null_forward=_shares(counts.null_forward),
        null_backward=_shares(counts.null_backward),
        jumps=jumps / jumps.sum(axis=1, keepdims=True),
    )
    return replace(model, parameters=parameters)


def _shares(counts: FloatArray) -> FloatArray:
    total = counts.sum()
    return counts / total if total > 0 else np.full_like(counts, 1 / max(len(counts), 1))


def _without_rare(model: AlignmentModel, drop_below: float) -> AlignmentModel:
    forward, backward = model.parameters.forward, model.parameters.backward
    mask = (forward >= drop_below) | (backward >= drop_below)
    parameters = model.parameters._replace(forward=forward[mask], backward=backward[mask])
    return AlignmentModel(model.pairs.filtered(mask), model.rows[mask], parameters)


def _round(name: str, number: int, bitext: PackedBitext, counts: ExpectedCounts) -> EmRound:
    texts = bitext.texts
    words = [
        int((np.diff(starts) * bitext.weights).sum())
        for starts in (texts.target_starts, texts.source_starts)
    ]
    forward, backward = (
        float(np.exp(-likelihood / max(n, 1)))
        for likelihood, n in zip(counts.log_likelihoods, words, strict=True)
    )
    return EmRound(name, number, float(counts.log_likelihoods.sum()), forward, backward)
