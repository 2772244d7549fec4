"""An encoder and held-out pairs -> retrieval accuracy, comparison AUC and perplexity."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from dragoman.encoders.sentence_encoder import normalized
from dragoman.encoders.transformer import mean_states
from dragoman.training.pretraining.batches import pad_sides
from dragoman.training.pretraining.masking import MaskedTexts, mask_tokens, pad_pairs, pad_texts
from dragoman.training.pretraining.model import PretrainModel
from dragoman.training.pretraining.pair_negatives import mean_token_vectors as token_means
from dragoman.training.pretraining.pair_negatives import shared_text_mask, swap_partners
from dragoman.training.pretraining.training_data import TokenPairs
from dragoman.training.sequences import Sequences
from dragoman.types import FloatArray, IntArray

PORTION = 256  # texts encoded at a time
SEED = 0  # of masked tokens and swaps: the same for all encoders


@dataclass(frozen=True, slots=True)
class RetrievalAccuracy:
    """How often the nearest text, by the cosine of mean states, is the translation."""

    pairs: int  # the size of the searched set
    accuracy: float  # the mean of both directions


@torch.no_grad()
def mean_state_vectors(model: PretrainModel, texts: Sequences, rows: IntArray) -> FloatArray:
    """(n, size): the mean states of some texts, of length one."""
    model.eval()
    vectors = np.zeros((len(rows), model.vectors.shape[1]), dtype=np.float32)
    for batch in _length_batches(texts.lengths[rows]):
        inputs = pad_texts(texts, rows[batch])
        real = torch.from_numpy(inputs.real).to(model.bias.device)
        vectors[batch] = mean_states(model.states(inputs), real).cpu().numpy()
    return normalized(vectors)


def _length_batches(lengths: IntArray) -> Iterator[NDArray[np.int64]]:
    order = np.argsort(lengths, kind="stable")
    for start in range(0, len(order), PORTION):
        yield order[start : start + PORTION]


def retrieval_accuracy(
    model: PretrainModel, pairs: TokenPairs, most: int
) -> dict[str, RetrievalAccuracy]:
    """Of the first ``most`` pairs of each group, each side searched by the other."""
    accuracies = {}
    for group, name in enumerate(pairs.names):
        rows = np.flatnonzero(pairs.groups == group)[:most]
        if len(rows):
            sides = (
                mean_state_vectors(model, side, rows) for side in (pairs.firsts, pairs.seconds)
            )
            accuracies[name] = RetrievalAccuracy(len(rows), pair_accuracy(*sides))
    return accuracies


def pair_accuracy(firsts: FloatArray, seconds: FloatArray) -> float:
    """How often row i of one is nearest to row i of the other, the mean of both directions.

    A tie is an error, so that equal vectors have accuracy 0.
    """
    cosines = firsts @ seconds.T
    own = np.diag(cosines).copy()
    np.fill_diagonal(cosines, -np.inf)
    return float(((own > cosines.max(axis=1)).mean() + (own > cosines.max(axis=0)).mean()) / 2)


@torch.no_grad()
def comparison_auc(
    model: PretrainModel, pairs: TokenPairs, most: int, vectors: FloatArray
) -> dict[str, float]:
    """By group: how often a pair is scored higher than a swapped one (AUC).

    Pairs are scored as they are and with swapped second sides, in batches of similar length;
    ``vectors`` of tokens measure their similarity. A group of a single pair has no AUC.
    """
    model.eval()
    rng = np.random.default_rng(SEED)
    aucs = {}
    for group, name in enumerate(pairs.names):
        rows = np.flatnonzero(pairs.groups == group)[:most]
        if len(rows) < 2:
            continue
        lengths = pairs.firsts.lengths[rows] + pairs.seconds.lengths[rows]
        scores = [
            _comparison_scores(model, pairs, rows[batch], vectors, rng)
            for batch in _length_batches(lengths)
        ]
        right, wrong = (np.concatenate(part) for part in zip(*scores, strict=True))
        aucs[name] = float(np.mean(right[:, None] > wrong))
    return aucs


def _comparison_scores(
    model: PretrainModel,
    pairs: TokenPairs,
    rows: IntArray,
    vectors: FloatArray,
    rng: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """The scores of pairs, and of those that could be swapped with swapped second sides."""
    seconds = token_means(vectors, pairs.seconds, rows)
    same = shared_text_mask(pairs.first_texts[rows], pairs.second_texts[rows])
    partners = swap_partners(seconds @ seconds.T, same, 1.0, rng)
    scores = []
    for others in (np.arange(len(rows)), partners):
        inputs = pad_pairs(pairs.firsts, rows, pairs.seconds, rows[others])
        real = torch.from_numpy(inputs.real).to(model.bias.device)
        scores.append(model.compares(mean_states(model.states(inputs), real))[:, 0].cpu().numpy())
    return scores[0], scores[1][partners != np.arange(len(rows))]


@torch.no_grad()
def perplexity(
    model: PretrainModel, pairs: TokenPairs, rows: IntArray, masked: float, *, concatenated: bool
) -> float:
    """Of masked tokens among all tokens, in ``concatenated`` or separate sides of pairs."""
    model.eval()
    rng = np.random.default_rng(SEED)
    total, count = 0.0, 0
    lengths = pairs.firsts.lengths[rows] + pairs.seconds.lengths[rows]
    for batch in _length_batches(lengths):
        batch_rows = rows[batch]
        inputs = (
            pad_pairs(pairs.firsts, batch_rows, pairs.seconds, batch_rows)
            if concatenated
            else pad_sides(pairs.firsts, pairs.seconds, batch_rows)
        )
        masked_inputs = mask_tokens(inputs, masked, len(model.bias), rng)
        total += _masked_loss_sum(model, masked_inputs)
        count += len(masked_inputs.indices)
    return float(np.exp(total / max(count, 1)))


def _masked_loss_sum(model: PretrainModel, masked: MaskedTexts) -> float:
    device = model.bias.device
    indices = torch.from_numpy(masked.indices).to(device)
    states = model.states(masked.inputs).flatten(0, 1)[indices]
    targets = torch.from_numpy(masked.targets).to(device)
    return float(functional.cross_entropy(model.logits(states), targets, reduction="sum"))


def first_rows_per_group(pairs: TokenPairs, most: int) -> NDArray[np.int64]:
    """The first ``most`` rows of every group."""
    rows = [np.flatnonzero(pairs.groups == group)[:most] for group in range(len(pairs.names))]
    return np.concatenate(rows).astype(np.int64)
