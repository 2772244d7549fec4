"""Packed bitext -> aligned counts of word pairs: rounds of Model 1, then of the HMM.

Every round has an E step, which lanes of sentences take in parallel, each into its own counts, and
an M step over their sum, taken in the order of the lanes: the result is the same bit for bit on
any number of threads.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from dragoman.errors import ConfigError
from dragoman.lexicons.alignment import hmm, model1
from dragoman.lexicons.alignment.cooccurrence import LANES, Cooccurrence, cooccurrence
from dragoman.lexicons.alignment.estimation import estimate
from dragoman.lexicons.alignment.packed_bitext import PackedBitext
from dragoman.types import FloatArray, IntArray


@dataclass(frozen=True, kw_only=True)
class AlignmentConfig:
    """How bitext is aligned; the defaults are what the shipped tables were made with."""

    model1_rounds: int = 5
    hmm_rounds: int = 5
    alpha: float = 0.0  # Dirichlet prior of a translation; 0 for maximum likelihood
    agree: bool = True  # the two directions share the product of their posteriors
    drop_below: float = 1e-5  # pairs less likely than this in both directions leave after Model 1
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
    """What one round of EM found; perplexities are per word, lower is better."""

    model: str
    number: int
    log_likelihood: float  # both directions together, before this round's M step
    forward_perplexity: float
    backward_perplexity: float


@dataclass(frozen=True)
class AlignmentModel:
    """The parameters of both directions; probabilities are per slot of ``pairs``."""

    pairs: Cooccurrence
    rows: IntArray  # the source word of every slot
    forward: FloatArray
    backward: FloatArray
    null_forward: FloatArray
    null_backward: FloatArray
    jumps: FloatArray


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
    """Train on ``bitext``; ``folder`` takes working files and must outlive the result."""
    model = _first_model(bitext, cooccurrence(bitext, folder, config.workers))
    counts = ExpectedCounts.empty(model, config.agree)
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


@dataclass(frozen=True)
class ExpectedCounts:
    """Expected counts of one E step and the log likelihood of both directions."""

    forward: FloatArray
    backward: FloatArray
    null_forward: FloatArray
    null_backward: FloatArray
    jumped: FloatArray
    log_likelihoods: FloatArray

    @classmethod
    def empty(cls, model: AlignmentModel, agree: bool) -> "ExpectedCounts":
        """Zeros; agreeing directions share one array."""
        forward = np.zeros(model.pairs.size)
        return cls(
            forward,
            forward if agree else np.zeros(model.pairs.size),
            np.zeros(len(model.null_forward)),
            np.zeros(len(model.null_backward)),
            np.zeros_like(model.jumps),
            np.zeros(2),
        )

    def add(self, other: "ExpectedCounts") -> None:
        """Add another lane's counts."""
        if self.backward is not self.forward:
            np.add(self.backward, other.backward, out=self.backward)
        np.add(self.forward, other.forward, out=self.forward)
        np.add(self.null_forward, other.null_forward, out=self.null_forward)
        np.add(self.null_backward, other.null_backward, out=self.null_backward)
        np.add(self.jumped, other.jumped, out=self.jumped)
        np.add(self.log_likelihoods, other.log_likelihoods, out=self.log_likelihoods)


def _first_model(bitext: PackedBitext, pairs: Cooccurrence) -> AlignmentModel:
    source_size, target_size = len(bitext.source_words), len(bitext.target_words)
    row_sizes = np.diff(pairs.starts)
    rows = np.repeat(np.arange(source_size, dtype=np.int32), row_sizes)
    column_sizes = np.bincount(pairs.columns, minlength=target_size)
    return AlignmentModel(
        pairs=pairs,
        rows=rows,
        forward=1.0 / row_sizes[rows],
        backward=1.0 / column_sizes[pairs.columns],
        null_forward=np.full(target_size, 1.0 / max(target_size, 1)),
        null_backward=np.full(source_size, 1.0 / max(source_size, 1)),
        jumps=np.stack([hmm.first_jumps()] * 2),
    )


def _expect(
    bitext: PackedBitext, model: AlignmentModel, config: AlignmentConfig, *, with_hmm: bool
) -> ExpectedCounts:
    bounds = model.pairs.lanes()

    def lane(number: int) -> ExpectedCounts:
        counts = ExpectedCounts.empty(model, config.agree)
        arguments = (
            *(bounds[number], bounds[number + 1], bitext.source, bitext.source_starts),
            *(bitext.target, bitext.target_starts, bitext.weights),
            *(model.pairs.slots, model.pairs.blocks, model.forward, model.backward),
            *(model.null_forward, model.null_backward, config.agree),
            *(counts.forward, counts.backward, counts.null_forward, counts.null_backward),
        )
        if with_hmm:
            found = hmm.expectations(*arguments, model.jumps, counts.jumped)
        else:
            found = model1.expectations(*arguments)
        counts.log_likelihoods[:] = found
        return counts

    with ThreadPoolExecutor(config.workers) as pool:
        lanes = pool.map(lane, range(LANES))
        total = next(lanes)
        for counts in lanes:
            total.add(counts)
    return total


def _maximise(
    model: AlignmentModel, counts: ExpectedCounts, config: AlignmentConfig
) -> AlignmentModel:
    columns = model.pairs.columns
    estimated = []
    for found, groups, size in (
        (counts.forward, model.rows, len(model.null_backward)),
        (counts.backward, columns, len(model.null_forward)),
    ):
        totals = np.bincount(groups, weights=found, minlength=size).astype(np.float64)
        sizes = np.bincount(groups, minlength=size)
        estimated.append(estimate(found, groups, totals, sizes, config.alpha))
    jumped = counts.jumped + 1.0  # no width is impossible
    return AlignmentModel(
        pairs=model.pairs,
        rows=model.rows,
        forward=estimated[0],
        backward=estimated[1],
        null_forward=_shares(counts.null_forward),
        null_backward=_shares(counts.null_backward),
        jumps=jumped / jumped.sum(axis=1, keepdims=True),
    )


def _shares(counts: FloatArray) -> FloatArray:
    total = counts.sum()
    return counts / total if total > 0 else np.full_like(counts, 1 / max(len(counts), 1))


def _without_rare(model: AlignmentModel, drop_below: float) -> AlignmentModel:
    mask = (model.forward >= drop_below) | (model.backward >= drop_below)
    return AlignmentModel(
        pairs=model.pairs.filtered(mask),
        rows=model.rows[mask],
        forward=model.forward[mask],
        backward=model.backward[mask],
        null_forward=model.null_forward,
        null_backward=model.null_backward,
        jumps=model.jumps,
    )


def _round(name: str, number: int, bitext: PackedBitext, counts: ExpectedCounts) -> EmRound:
    weights = bitext.weights
    words = [
        int((np.diff(starts) * weights).sum())
        for starts in (bitext.target_starts, bitext.source_starts)
    ]
    forward, backward = (
        float(np.exp(-found / max(n, 1)))
        for found, n in zip(counts.log_likelihoods, words, strict=True)
    )
    return EmRound(name, number, float(counts.log_likelihoods.sum()), forward, backward)
