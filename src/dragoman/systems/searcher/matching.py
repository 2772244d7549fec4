"""Query vectors and positions of sentences -> one score per query and sentence (sections 4, 7).

The generic form attends to a region of the sentence and matches it with the query. With attention
by dot products and a dot product as matcher,

    q . sum_i softmax(q . s_i) s_i  =  sum_i softmax(e_i) e_i        e_i = q . s_i

so the region is not computed: the dot products are pooled. Max pooling takes their maximum.
Sentences are concatenated: sentence j has the positions starts[j] to starts[j + 1].
"""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from dragoman.systems.searcher import kernels
from dragoman.systems.searcher.config import Pooling

Starts = NDArray[np.int64]
# queries (n, p), positions (m, p), starts -> (n, sentences, p): the region that each query selects
Attention = Callable[[Tensor, Tensor, Starts], Tensor]
# queries (n, p), regions (n, sentences, p) -> (n, sentences)
Matcher = Callable[[Tensor, Tensor], Tensor]


def dot_attention(queries: Tensor, positions: Tensor, starts: Starts) -> Tensor:
    """ATT(S, q) = sum of alpha_i s_i, with alpha the softmax of q . s_i within a sentence."""
    dots = queries @ positions.T
    parts = []
    for first, last in pairwise(starts.tolist()):
        alpha = torch.softmax(dots[:, first:last], dim=1)
        parts.append(alpha @ positions[first:last])
    return torch.stack(parts, dim=1)


def dot_matcher(queries: Tensor, regions: Tensor) -> Tensor:
    """The inner product of a query with its region."""
    return (queries[:, None, :] * regions).sum(dim=2)


def generic_scores(
    queries: Tensor,
    positions: Tensor,
    starts: Starts,
    attend: Attention = dot_attention,
    match: Matcher = dot_matcher,
) -> Tensor:
    """(n, sentences): the architecture of Figure 3, with any attention and any matcher."""
    return match(queries, attend(queries, positions, starts))


def pooled_scores(queries: Tensor, positions: Tensor, starts: Starts, pooling: Pooling) -> Tensor:
    """(n, sentences): the simplified architecture of Figure 6, or its hard variant."""
    return pool(queries @ positions.T, starts, pooling)


def pool(dots: Tensor, starts: Starts, pooling: Pooling) -> Tensor:
    """(n, positions) -> (n, sentences); no sentence may be empty."""
    assert (np.diff(starts) > 0).all(), "a sentence without a word has no score"
    if dots.device.type == "cpu":
        pooled: Tensor = _Pool.apply(dots, starts, pooling)  # type: ignore[no-untyped-call]
        return pooled
    return torch_pool(dots, starts, pooling)


def torch_pool(dots: Tensor, starts: Starts, pooling: Pooling) -> Tensor:
    """The same by torch alone, on any device."""
    lengths = torch.from_numpy(np.diff(starts)).to(dots.device)
    owner = torch.repeat_interleave(torch.arange(len(lengths), device=dots.device), lengths)
    shape = (len(dots), len(lengths))
    owners = owner.expand(len(dots), -1)
    empty = dots.new_full(shape, -torch.inf)
    top = empty.scatter_reduce(1, owners, dots, "amax")
    if pooling is Pooling.MAXIMUM:
        return top
    shares = torch.exp(dots - top.detach()[:, owner])
    weight = dots.new_zeros(shape).index_add(1, owner, shares)
    return dots.new_zeros(shape).index_add(1, owner, shares * dots) / weight


class _Pool(torch.autograd.Function):
    """Pooling and its gradient by compiled loops."""

    @staticmethod
    def forward(ctx: Any, dots: Tensor, starts: Starts, pooling: Pooling) -> Tensor:  # noqa: ANN401
        values = dots.detach().float().contiguous()
        pooled = torch.empty((len(values), len(starts) - 1))
        run = kernels.softmax_pool if pooling is Pooling.SOFTMAX else kernels.max_pool
        run(values.numpy(), starts, pooled.numpy())
        ctx.values, ctx.pooled, ctx.starts, ctx.pooling = values, pooled, starts, pooling
        return pooled

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:  # noqa: ANN401
        soft = ctx.pooling is Pooling.SOFTMAX
        run = kernels.softmax_pool_gradient if soft else kernels.max_pool_gradient
        gradient = torch.empty_like(ctx.values)
        run(
            ctx.values.numpy(),
            ctx.starts,
            ctx.pooled.numpy(),
            gradients[0].contiguous().numpy(),
            gradient.numpy(),
        )
        return gradient, None, None


def pool_array(dots: NDArray[np.float32], starts: Starts, pooling: Pooling) -> NDArray[np.float32]:
    """(n, positions) -> (n, sentences) without a gradient; no sentence may be empty."""
    pooled = np.empty((len(dots), len(starts) - 1), dtype=np.float32)
    run = kernels.softmax_pool if pooling is Pooling.SOFTMAX else kernels.max_pool
    run(np.ascontiguousarray(dots, dtype=np.float32), starts, pooled)
    return pooled
