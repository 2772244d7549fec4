"""Adam (Kingma & Ba 2015) that updates only the rows with a gradient; gradient clipping.

For a sparse gradient this is torch's SparseAdam: the moments of a row change in steps that read the
row. For a dense one it is Adam. One optimizer for both keeps checkpoints and schedules simple;
SparseAdam sorts, copies and scatters where a compiled loop updates the rows in place.
"""

from collections.abc import Callable, Iterable
from math import sqrt
from typing import Any

import torch
from torch import Tensor, nn

from dragoman.training.kernels import adam_rows


class RowAdam(torch.optim.Optimizer):
    """Adam for dense parameters and for the rows of tables that have a gradient."""

    def __init__(
        self,
        parameters: Iterable[nn.Parameter],
        learning_rate: float,
        *,
        decays: tuple[float, float] = (0.9, 0.999),
        epsilon: float = 1e-8,
    ) -> None:
        super().__init__(parameters, {"lr": learning_rate, "decays": decays, "epsilon": epsilon})

    @torch.no_grad()
    def step(self, closure: Callable[[], float] | None = None) -> None:  # type: ignore[override]
        """Update every parameter that has a gradient."""
        assert closure is None, "the loop computes the loss before the step"
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    self._update(parameter, group)

    def _update(self, parameter: Tensor, group: dict[str, Any]) -> None:
        state = self.state[parameter]
        if not state:
            state["steps"] = 0
            state["means"], state["squares"] = (torch.zeros_like(parameter) for _ in range(2))
        state["steps"] += 1
        mean_decay, square_decay = group["decays"]
        step_size = group["lr"] / (1 - mean_decay ** state["steps"])
        correction = sqrt(1 - square_decay ** state["steps"])
        settings = (step_size, mean_decay, square_decay, correction, group["epsilon"])
        gradient = parameter.grad
        assert gradient is not None
        if not gradient.is_sparse:
            _update_dense(parameter, state["means"], state["squares"], gradient, *settings)
            return
        rows, values = distinct_rows(gradient)
        if parameter.device.type == "cpu":
            assert parameter.is_contiguous(), "rows are updated in place"
            adam_rows(
                parameter.detach().numpy(),
                state["means"].numpy(),
                state["squares"].numpy(),
                rows.numpy(),
                values.contiguous().numpy(),
                *settings,
            )
        else:
            _update_rows(parameter, state["means"], state["squares"], rows, values, *settings)


def distinct_rows(gradient: Tensor) -> tuple[Tensor, Tensor]:
    """The rows of a sparse gradient, distinct and ascending, and their values."""
    if not _strictly_increasing(gradient._indices()[0]):
        gradient = gradient.coalesce()
    return gradient._indices()[0], gradient._values()


def _strictly_increasing(rows: Tensor) -> bool:
    """Whether rows are distinct and ascending; torch loses the flag of a coalesced gradient."""
    return bool((rows[1:] > rows[:-1]).all())


def _update_dense(
    parameter: Tensor,
    means: Tensor,
    squares: Tensor,
    gradient: Tensor,
    step_size: float,
    mean_decay: float,
    square_decay: float,
    correction: float,
    epsilon: float,
) -> None:
    means.lerp_(gradient, 1 - mean_decay)
    squares.mul_(square_decay).addcmul_(gradient, gradient, value=1 - square_decay)
    parameter.addcdiv_(means, (squares.sqrt() / correction).add_(epsilon), value=-step_size)


def _update_rows(
    parameter: Tensor,
    means: Tensor,
    squares: Tensor,
    rows: Tensor,
    values: Tensor,
    *settings: float,
) -> None:
    """The dense update of some rows, by torch alone."""
    updated, mean, square = parameter[rows], means[rows], squares[rows]
    _update_dense(updated, mean, square, values, *settings)
    parameter[rows], means[rows], squares[rows] = updated, mean, square


@torch.no_grad()
def clip_gradients(parameters: Iterable[nn.Parameter], most: float) -> float:
    """Scale all gradients so that their joint norm is at most ``most``; returns the norm before."""
    values = [_gradient_values(parameter) for parameter in parameters if parameter.grad is not None]
    norm = sqrt(sum(float(value.double().square().sum()) for value in values))
    if norm > most:
        for value in values:
            value.mul_(most / norm)
    return norm


def _gradient_values(parameter: nn.Parameter) -> Tensor:
    """The values of a gradient, which may be changed in place; sparse rows are distinct."""
    gradient = parameter.grad
    assert gradient is not None
    if not gradient.is_sparse:
        return gradient
    if not _strictly_increasing(gradient._indices()[0]):
        parameter.grad = gradient = gradient.coalesce()
    return gradient._values()
