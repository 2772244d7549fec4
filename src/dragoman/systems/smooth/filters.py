"""Filters over windows of words, and the strongest answer of each: DSSM-CNN's layer in the middle.

A filter answers to every window of a text and only its strongest answer has a gradient. What torch
would differentiate is the whole product of windows and filters; here the gradient visits one window
of a filter and text, which is a fiftieth of the work. Elsewhere than on the processor the strongest
answers are computed a second time, with a gradient, by torch alone.
"""

from typing import Any

import numpy as np
import torch
from numba import njit
from numpy.typing import NDArray
from torch import Tensor, nn

WINDOW = 3  # words
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]


def max_activations(vectors: Tensor, filters: nn.Linear, starts: Ints) -> Tensor:
    """(texts, filters): the highest answer of each filter to the windows of each text.

    ``vectors`` (words, p) are those of all texts, text i from ``starts[i]`` on; a text has a window
    around every word, with zeros beyond its ends, and at least one word.
    """
    around = window_rows(starts)
    if vectors.device.type == "cpu":
        found: Tensor = _MaxActivations.apply(  # type: ignore[no-untyped-call]
            vectors, filters.weight, filters.bias, around, starts
        )
        return found
    return torch_activations(vectors, filters, around, starts)


def torch_activations(vectors: Tensor, filters: nn.Linear, around: Ints, starts: Ints) -> Tensor:
    """The same by torch alone, on any device."""
    windows = _windows(vectors, around)
    with torch.no_grad():
        answers = filters(windows).float().cpu().numpy()
    places = np.zeros((len(starts) - 1, answers.shape[1]), dtype=np.int64)
    argmax_rows(answers, starts, places)
    chosen = windows[torch.from_numpy(places).to(windows.device)]
    found: Tensor = (chosen * filters.weight).sum(dim=2) + filters.bias
    return found


def window_rows(starts: Ints) -> Ints:
    """(words, 3): of every word, the one before, itself and the one after, within its text.

    Where there is none, the number is that of all words: the row after the last.
    """
    words = np.arange(starts[-1])
    before, after = words - 1, words + 1
    before[starts[:-1]] = len(words)
    after[starts[1:] - 1] = len(words)
    return np.stack([before, words, after], axis=1)


def _windows(vectors: Tensor, around: Ints) -> Tensor:
    """(words, 3 p): the vectors of every window, side by side."""
    outside = torch.zeros((1, vectors.shape[1]), device=vectors.device, dtype=vectors.dtype)
    rows = torch.from_numpy(around).to(vectors.device)
    return nn.functional.embedding(rows, torch.cat([vectors, outside])).flatten(1)


class _MaxActivations(torch.autograd.Function):
    """The answers by one product; their gradient by a loop over the strongest windows."""

    @staticmethod
    def forward(
        ctx: Any,  # noqa: ANN401 - torch's own
        vectors: Tensor,
        weight: Tensor,
        bias: Tensor,
        around: Ints,
        starts: Ints,
    ) -> Tensor:
        answers = _windows(vectors, around) @ weight.T
        places = np.zeros((len(starts) - 1, len(weight)), dtype=np.int64)
        argmax_rows(answers.float().numpy(), starts, places)
        ctx.save_for_backward(vectors, weight)
        ctx.around, ctx.places = around, places
        return answers.gather(0, torch.from_numpy(places)) + bias

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401
        vectors, weight = ctx.saved_tensors
        of_vectors = np.zeros(vectors.shape, dtype=np.float32)
        of_weight = np.zeros(weight.shape, dtype=np.float32)
        window_gradients(
            vectors.float().numpy(),
            weight.float().numpy(),
            ctx.around,
            ctx.places,
            gradients[0].float().contiguous().numpy(),
            of_vectors,
            of_weight,
        )
        of_bias = gradients[0].sum(dim=0)
        return torch.from_numpy(of_vectors), torch.from_numpy(of_weight), of_bias, None, None


@njit("void(float32[:, ::1], int64[::1], int64[:, ::1])", cache=True, nogil=True)
def argmax_rows(values: Floats, starts: Ints, rows: Ints) -> None:
    """Fill ``rows`` (n, m): of every column, the row with the highest value in each of n parts.

    The first of equal ones; no part is empty.
    """
    for part in range(len(starts) - 1):
        best = values[starts[part]].copy()
        place = rows[part]
        place[:] = starts[part]
        for row in range(starts[part] + 1, starts[part + 1]):
            for column in range(len(best)):
                if values[row, column] > best[column]:
                    best[column] = values[row, column]
                    place[column] = row


@njit(
    "void(float32[:, ::1], float32[:, ::1], int64[:, ::1], int64[:, ::1], float32[:, ::1],"
    " float32[:, ::1], float32[:, ::1])",
    cache=True,
    nogil=True,
    fastmath={"contract"},
)
def window_gradients(
    vectors: Floats,
    weight: Floats,
    around: Ints,
    places: Ints,
    gradient: Floats,
    of_vectors: Floats,
    of_weight: Floats,
) -> None:
    """Add to the gradients of vectors and filters what that of the strongest answers means."""
    width = vectors.shape[1]
    for part in range(len(places)):
        for column in range(places.shape[1]):
            g = gradient[part, column]
            for side in range(WINDOW):
                row = around[places[part, column], side]
                if row == len(vectors):
                    continue
                first = side * width
                for k in range(width):
                    of_vectors[row, k] += g * weight[column, first + k]
                    of_weight[column, first + k] += g * vectors[row, k]
