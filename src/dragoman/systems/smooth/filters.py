"""Convolution filters over windows of words with max pooling: the middle layer of DSSM-CNN.

Only the highest activation of a filter in a text has a gradient. torch would differentiate the
whole product of windows and filters; here the gradient visits one window per filter and text, a
fiftieth of the work. On other devices than the CPU the highest activations are computed a second
time, with a gradient, by torch alone.
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
    """(texts, filters): the highest activation of each filter over the windows of each text.

    ``vectors`` (words, p) are those of all texts, text i from ``starts[i]`` on; a text has at least
    one word and a window around every word, padded with zeros.
    """
    windows = window_rows(starts)
    if vectors.device.type == "cpu":
        activations: Tensor = _MaxActivations.apply(  # type: ignore[no-untyped-call]
            vectors, filters.weight, filters.bias, windows, starts
        )
        return activations
    return torch_activations(vectors, filters, windows, starts)


def torch_activations(vectors: Tensor, filters: nn.Linear, windows: Ints, starts: Ints) -> Tensor:
    """The same by torch alone, on any device."""
    inputs = _window_vectors(vectors, windows)
    with torch.no_grad():
        activations = filters(inputs).float().cpu().numpy()
    best = np.zeros((len(starts) - 1, activations.shape[1]), dtype=np.int64)
    argmax_rows(activations, starts, best)
    best_inputs = inputs[torch.from_numpy(best).to(inputs.device)]
    highest: Tensor = (best_inputs * filters.weight).sum(dim=2) + filters.bias
    return highest


def window_rows(starts: Ints) -> Ints:
    """(words, 3): the rows of the word before, the word itself and the word after, in its text.

    Beyond the ends of a text it is the number of all words: the row of the padding.
    """
    words = np.arange(starts[-1])
    before, after = words - 1, words + 1
    before[starts[:-1]] = len(words)
    after[starts[1:] - 1] = len(words)
    return np.stack([before, words, after], axis=1)


def _window_vectors(vectors: Tensor, windows: Ints) -> Tensor:
    """(words, 3 p): the concatenated vectors of every window."""
    padding = torch.zeros((1, vectors.shape[1]), device=vectors.device, dtype=vectors.dtype)
    rows = torch.from_numpy(windows).to(vectors.device)
    return nn.functional.embedding(rows, torch.cat([vectors, padding])).flatten(1)


class _MaxActivations(torch.autograd.Function):
    """The activations by one product; their gradient by a loop over the windows of the highest."""

    @staticmethod
    def forward(
        ctx: Any,  # noqa: ANN401 - torch's own type
        vectors: Tensor,
        weight: Tensor,
        bias: Tensor,
        windows: Ints,
        starts: Ints,
    ) -> Tensor:
        activations = _window_vectors(vectors, windows) @ weight.T
        best = np.zeros((len(starts) - 1, len(weight)), dtype=np.int64)
        argmax_rows(activations.float().numpy(), starts, best)
        ctx.save_for_backward(vectors, weight)
        ctx.windows, ctx.best = windows, best
        return activations.gather(0, torch.from_numpy(best)) + bias

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401
        vectors, weight = ctx.saved_tensors
        of_vectors = np.zeros(vectors.shape, dtype=np.float32)
        of_weight = np.zeros(weight.shape, dtype=np.float32)
        window_gradients(
            vectors.float().numpy(),
            weight.float().numpy(),
            ctx.windows,
            ctx.best,
            gradients[0].float().contiguous().numpy(),
            of_vectors,
            of_weight,
        )
        of_bias = gradients[0].sum(dim=0)
        return torch.from_numpy(of_vectors), torch.from_numpy(of_weight), of_bias, None, None


@njit("void(float32[:, ::1], int64[::1], int64[:, ::1])", cache=True, nogil=True)
def argmax_rows(values: Floats, starts: Ints, rows: Ints) -> None:
    """Fill ``rows`` (n, m): the row of the highest value of every column in each of n texts.

    The first of equal ones; no text is empty.
    """
    for text in range(len(starts) - 1):
        best = values[starts[text]].copy()
        best_rows = rows[text]
        best_rows[:] = starts[text]
        for row in range(starts[text] + 1, starts[text + 1]):
            for column in range(len(best)):
                if values[row, column] > best[column]:
                    best[column] = values[row, column]
                    best_rows[column] = row


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
    windows: Ints,
    best: Ints,
    gradient: Floats,
    of_vectors: Floats,
    of_weight: Floats,
) -> None:
    """Add to the gradients of vectors and filters, given that of the highest activations."""
    width = vectors.shape[1]
    for text in range(len(best)):
        for column in range(best.shape[1]):
            g = gradient[text, column]
            for side in range(WINDOW):
                row = windows[best[text, column], side]
                if row == len(vectors):
                    continue
                first = side * width
                for k in range(width):
                    of_vectors[row, k] += g * weight[column, first + k]
                    of_weight[column, first + k] += g * vectors[row, k]
