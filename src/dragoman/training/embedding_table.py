"""An embedding table with sparse gradients: a step costs only the rows that its batch reads.

On the CPU, rows are summed, scattered and updated by compiled loops, elsewhere by torch's own
sparse embeddings. Both give the gradient as a coalesced sparse tensor, for ``RowAdam`` and for the
averages over processes.
"""

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from dragoman.training.kernels import scatter, touched_words, weighted_sums
from dragoman.training.sequences import Bags, gather_positions
from dragoman.types import IntArray


class EmbeddingTable(nn.Module):
    """Word vectors, (vocabulary, dimension), float32."""

    def __init__(self, vectors: NDArray[np.float32]) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.from_numpy(np.array(vectors, dtype=np.float32, order="C")))
        # of every word: its index among the words of the batch, -1 outside of a backward pass
        self._slots: NDArray[np.int32] = np.full(len(vectors), -1, dtype=np.int32)

    @property
    def dimension(self) -> int:
        """The dimension of the vectors."""
        return int(self.weight.shape[1])

    def sums(self, bags: Bags, rows: IntArray) -> Tensor:
        """(n, p): the weighted sum of the words of each of the n ``rows``; 0 for an empty bag."""
        chosen = np.ascontiguousarray(rows, dtype=np.int64)
        if self.weight.device.type == "cpu":
            sums: Tensor = _RowSums.apply(  # type: ignore[no-untyped-call]
                self.weight, bags, chosen, self._slots
            )
            return sums
        return torch_sums(self.weight, bags, chosen)

    def look_up(self, words: IntArray) -> Tensor:
        """(n, p): the vector of each of the n ``words``."""
        ones = np.ones(len(words), dtype=np.float32)
        starts = np.arange(len(words) + 1, dtype=np.int64)
        bags = Bags(np.ascontiguousarray(words, dtype=np.int32), starts, ones)
        return self.sums(bags, starts[:-1])


def torch_sums(weight: Tensor, bags: Bags, rows: IntArray) -> Tensor:
    """The same sums by torch alone, on any device."""
    at, starts = gather_positions(bags.starts, rows)
    device = weight.device
    return nn.functional.embedding_bag(
        torch.from_numpy(bags.words[at]).long().to(device),
        weight,
        torch.from_numpy(starts[:-1]).to(device),
        mode="sum",
        sparse=True,
        per_sample_weights=torch.from_numpy(bags.weights[at]).to(device),
    )


class _RowSums(torch.autograd.Function):
    """Weighted sums of rows, and the sparse gradient of the rows."""

    @staticmethod
    def forward(
        ctx: Any,  # noqa: ANN401 - torch's own type
        weight: Tensor,
        bags: Bags,
        rows: NDArray[np.int64],
        slots: NDArray[np.int32],
    ) -> Tensor:
        ctx.bags, ctx.rows, ctx.slots, ctx.shape = bags, rows, slots, weight.shape
        sums = torch.empty((len(rows), weight.shape[1]))
        table = weight.detach().numpy()
        weighted_sums(table, bags.words, bags.weights, bags.starts, rows, sums.numpy())
        return sums

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401
        bags, rows, slots = ctx.bags, ctx.rows, ctx.slots
        words = np.sort(touched_words(bags.words, bags.starts, rows, slots))
        slots[words] = np.arange(len(words), dtype=np.int32)
        values = np.zeros((len(words), ctx.shape[1]), dtype=np.float32)
        sum_gradient = gradients[0].contiguous().numpy()
        scatter(bags.words, bags.weights, bags.starts, rows, slots, sum_gradient, values)
        slots[words] = -1
        gradient = torch.sparse_coo_tensor(
            torch.from_numpy(words)[None, :],
            torch.from_numpy(values),
            ctx.shape,
            check_invariants=False,
            is_coalesced=True,
        )
        return gradient, None, None, None
