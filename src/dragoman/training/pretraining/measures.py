"""An encoder and held-out pairs -> how often a translation is found, how well tokens are told."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from dragoman.training.pretraining.batches import apart
from dragoman.training.pretraining.masking import Hidden, framed, hide, side_by_side
from dragoman.training.pretraining.material import Pairs
from dragoman.training.pretraining.model import PretrainModel
from dragoman.training.texts import Sequences
from dragoman.types import FloatArray, IntArray
from dragoman.vectors.sentence import normalized
from dragoman.vectors.transformer import mean_states

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
def perplexity(
    model: PretrainModel, pairs: Pairs, rows: IntArray, masked: float, *, together: bool
) -> float:
    """Of hidden tokens among all tokens, the sides of pairs read ``together`` or by themselves."""
    model.eval()
    rng = np.random.default_rng(SEED)
    total, count = 0.0, 0
    lengths = pairs.firsts.lengths[rows] + pairs.seconds.lengths[rows]
    read = side_by_side if together else apart
    for some in _portions(lengths):
        lines = read(pairs.firsts, pairs.seconds, rows[some])
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
