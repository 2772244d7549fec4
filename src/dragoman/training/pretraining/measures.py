"""An encoder and held-out pairs -> how well translations are found and told, and hidden tokens."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from dragoman.encoders.sentence_encoder import normalized
from dragoman.encoders.transformer import mean_states
from dragoman.training.pretraining.batches import apart
from dragoman.training.pretraining.comparing import equal_pairs, exchanged
from dragoman.training.pretraining.comparing import mean_vectors as token_means
from dragoman.training.pretraining.masking import Hidden, framed, hide, side_by_side
from dragoman.training.pretraining.material import Pairs
from dragoman.training.pretraining.model import PretrainModel
from dragoman.training.texts import Sequences
from dragoman.types import FloatArray, IntArray

PORTION = 256  # texts that are read at a time
SEED = 0  # of the tokens that are hidden: all encoders are asked for the same


@dataclass(frozen=True, slots=True)
class Retrieval:
    """How often the nearest text, by the cosine of mean states, is the translation."""

    pairs: int  # that were searched among
    accuracy: float  # the mean of both directions


@torch.no_grad()
def mean_vectors(model: PretrainModel, texts: Sequences, rows: IntArray) -> FloatArray:
    """(n, size): the mean states of some texts, scaled to length one."""
    model.eval()
    found = np.zeros((len(rows), model.vectors.shape[1]), dtype=np.float32)
    for some in _portions(texts.lengths[rows]):
        lines = framed(texts, rows[some])
        means = mean_states(model.states(lines), torch.from_numpy(lines.real).to(model.bias.device))
        found[some] = means.cpu().numpy()
    return normalized(found)


def _portions(lengths: IntArray) -> Iterator[NDArray[np.int64]]:
    order = np.argsort(lengths, kind="stable")
    for start in range(0, len(order), PORTION):
        yield order[start : start + PORTION]


def retrieval(model: PretrainModel, pairs: Pairs, most: int) -> dict[str, Retrieval]:
    """By group: the first ``most`` pairs, each text searched among the other sides."""
    found = {}
    for group, name in enumerate(pairs.names):
        rows = np.flatnonzero(pairs.groups == group)[:most]
        if len(rows):
            sides = (mean_vectors(model, side, rows) for side in (pairs.firsts, pairs.seconds))
            found[name] = Retrieval(len(rows), pair_accuracy(*sides))
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
def comparison(
    model: PretrainModel, pairs: Pairs, most: int, vectors: FloatArray
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
        told = [_told(model, pairs, rows[some], vectors, rng) for some in _portions(lengths)]
        right, wrong = (np.concatenate(part) for part in zip(*told, strict=True))
        found[name] = float(np.mean(right[:, None] > wrong))
    return found


def _told(
    model: PretrainModel,
    pairs: Pairs,
    rows: IntArray,
    vectors: FloatArray,
    rng: np.random.Generator,
) -> tuple[FloatArray, FloatArray]:
    """How much pairs look like translations, and those of them that could be exchanged then."""
    seconds = token_means(vectors, pairs.seconds, rows)
    same = equal_pairs(pairs.first_texts[rows], pairs.second_texts[rows])
    partners = exchanged(seconds @ seconds.T, same, 1.0, rng)
    scores = []
    for others in (np.arange(len(rows)), partners):
        lines = side_by_side(pairs.firsts, rows, pairs.seconds, rows[others])
        real = torch.from_numpy(lines.real).to(model.bias.device)
        scores.append(model.compares(mean_states(model.states(lines), real))[:, 0].cpu().numpy())
    return scores[0], scores[1][partners != np.arange(len(rows))]


@torch.no_grad()
def perplexity(
    model: PretrainModel, pairs: Pairs, rows: IntArray, masked: float, *, together: bool
) -> float:
    """Of hidden tokens among all tokens, the sides of pairs read ``together`` or by themselves."""
    model.eval()
    rng = np.random.default_rng(SEED)
    total, count = 0.0, 0
    lengths = pairs.firsts.lengths[rows] + pairs.seconds.lengths[rows]
    for some in _portions(lengths):
        mine = rows[some]
        lines = (
            side_by_side(pairs.firsts, mine, pairs.seconds, mine)
            if together
            else apart(pairs.firsts, pairs.seconds, mine)
        )
        hidden = hide(lines, masked, len(model.bias), rng)
        total += _surprise(model, hidden)
        count += len(hidden.at)
    return float(np.exp(total / max(count, 1)))


def _surprise(model: PretrainModel, hidden: Hidden) -> float:
    device = model.bias.device
    states = model.states(hidden.lines).flatten(0, 1)[torch.from_numpy(hidden.at).to(device)]
    wanted = torch.from_numpy(hidden.wanted).to(device)
    return float(functional.cross_entropy(model.logits(states), wanted, reduction="sum"))


def some_of_each(pairs: Pairs, most: int) -> NDArray[np.int64]:
    """The first ``most`` rows of every group."""
    rows = [np.flatnonzero(pairs.groups == group)[:most] for group in range(len(pairs.names))]
    return np.concatenate(rows).astype(np.int64)
