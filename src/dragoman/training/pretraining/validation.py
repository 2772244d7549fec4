"""An encoder and held-out pairs -> how well translations are found and told, and hidden tokens."""

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

PORTION = 256  # texts that are read at a time
SEED = 0  # of the tokens that are hidden: all encoders are asked for the same


@dataclass(frozen=True, slots=True)
class RetrievalAccuracy:
    """How often the nearest text, by the cosine of mean states, is the translation."""

    pairs: int  # that were searched among
    accuracy: float  # the mean of both directions


@torch.no_grad()
def mean_state_vectors(model: PretrainModel, texts: Sequences, rows: IntArray) -> FloatArray:
    """(n, size): the mean states of some texts, scaled to length one."""
    model.eval()
    found = np.zeros((len(rows), model.vectors.shape[1]), dtype=np.float32)
    for some in _length_batches(texts.lengths[rows]):
        lines = pad_texts(texts, rows[some])
        means = mean_states(model.states(lines), torch.from_numpy(lines.real).to(model.bias.device))
        found[some] = means.cpu().numpy()
    return normalized(found)


def _length_batches(lengths: IntArray) -> Iterator[NDArray[np.int64]]:
    order = np.argsort(lengths, kind="stable")
    for start in range(0, len(order), PORTION):
        yield order[start : start + PORTION]


def retrieval_accuracy(
    model: PretrainModel, pairs: TokenPairs, most: int
) -> dict[str, RetrievalAccuracy]:
    """By group: the first ``most`` pairs, each text searched among the other sides."""
    found = {}
    for group, name in enumerate(pairs.names):
        rows = np.flatnonzero(pairs.groups == group)[:most]
        if len(rows):
            sides = (
                mean_state_vectors(model, side, rows) for side in (pairs.firsts, pairs.seconds)
            )
            found[name] = RetrievalAccuracy(len(rows), pair_accuracy(*sides))
    return found


def pair_accuracy(firsts: FloatArray, seconds: FloatArray) -> float:
    """How often row i of one is nearest to row i of the other, the mean of both directions.

    A tie counts as an error: vectors that are all alike find nothing.
    """
    cosines = firsts @ seconds.T
    own = np.diag(cosines).copy()
    np.fill_diagonal(cosines, -np.inf)
    return float(((own > cosines.max(axis=1)).mean() + (own > cosines.max(axis=0)).mean()) / 2)


@torch.no_grad()
def comparison_auc(
    model: PretrainModel, pairs: TokenPairs, most: int, vectors: FloatArray
) -> dict[str, float]:
    """By group: how often a pair looks more like a translation than an exchanged one (AUC).

    All pairs are read as they are and with another's second text, those of like length together;
    ``vectors`` of tokens say which look alike. A group of a single pair has nothing to exchange.
    """
    model.eval()
    rng = np.random.default_rng(SEED)
    found = {}
    for group, name in enumerate(pairs.names):
        rows = np.flatnonzero(pairs.groups == group)[:most]
        if len(rows) < 2:
            continue
        lengths = pairs.firsts.lengths[rows] + pairs.seconds.lengths[rows]
        told = [
            _comparison_scores(model, pairs, rows[some], vectors, rng)
            for some in _length_batches(lengths)
        ]
        right, wrong = (np.concatenate(part) for part in zip(*told, strict=True))
        found[name] = float(np.mean(right[:, None] > wrong))
    return found


def _comparison_scores(
    model: PretrainModel,
    pairs: TokenPairs,
    rows: IntArray,
    vectors: FloatArray,
    rng: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """How much pairs look like translations, and those of them that could be exchanged then."""
    seconds = token_means(vectors, pairs.seconds, rows)
    same = shared_text_mask(pairs.first_texts[rows], pairs.second_texts[rows])
    partners = swap_partners(seconds @ seconds.T, same, 1.0, rng)
    scores = []
    for others in (np.arange(len(rows)), partners):
        lines = pad_pairs(pairs.firsts, rows, pairs.seconds, rows[others])
        real = torch.from_numpy(lines.real).to(model.bias.device)
        scores.append(model.compares(mean_states(model.states(lines), real))[:, 0].cpu().numpy())
    return scores[0], scores[1][partners != np.arange(len(rows))]


@torch.no_grad()
def perplexity(
    model: PretrainModel, pairs: TokenPairs, rows: IntArray, masked: float, *, together: bool
) -> float:
    """Of hidden tokens among all tokens, the sides of pairs read ``together`` or by themselves."""
    model.eval()
    rng = np.random.default_rng(SEED)
    total, count = 0.0, 0
    lengths = pairs.firsts.lengths[rows] + pairs.seconds.lengths[rows]
    for some in _length_batches(lengths):
        mine = rows[some]
        lines = (
            pad_pairs(pairs.firsts, mine, pairs.seconds, mine)
            if together
            else pad_sides(pairs.firsts, pairs.seconds, mine)
        )
        hidden = mask_tokens(lines, masked, len(model.bias), rng)
        total += _masked_loss_sum(model, hidden)
        count += len(hidden.at)
    return float(np.exp(total / max(count, 1)))


def _masked_loss_sum(model: PretrainModel, hidden: MaskedTexts) -> float:
    device = model.bias.device
    states = model.states(hidden.lines).flatten(0, 1)[torch.from_numpy(hidden.at).to(device)]
    wanted = torch.from_numpy(hidden.wanted).to(device)
    return float(functional.cross_entropy(model.logits(states), wanted, reduction="sum"))


def first_rows_per_group(pairs: TokenPairs, most: int) -> NDArray[np.int64]:
    """The first ``most`` rows of every group."""
    rows = [np.flatnonzero(pairs.groups == group)[:most] for group in range(len(pairs.names))]
    return np.concatenate(rows).astype(np.int64)
