"""Sparse rows of probabilities: normalise, prune, average; rows that become empty stay empty.

scipy is imported when a matrix is made: a search starts without it.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ConfigError
from dragoman.types import FloatArray, IntArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Table = csr_array[Any]
else:
    Table = Any
Mask = NDArray[np.bool_]


def table(rows: IntArray, columns: IntArray, values: FloatArray, shape: tuple[int, int]) -> Table:
    """A float32 matrix with sorted columns; values of one cell are summed."""
    from scipy.sparse import coo_array  # noqa: PLC0415

    summed = matrix(coo_array((values.astype(np.float64), (rows, columns)), shape=shape))
    summed.sum_duplicates()
    return as_table(summed)


def matrix(parts: Any, shape: tuple[int, int] | None = None) -> Table:  # noqa: ANN401 - as scipy
    """A CSR matrix; arguments as for ``scipy.sparse.csr_array``."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    return csr_array(parts, shape=shape)


def transposed(table: Table) -> Table:
    """The transposed matrix, in CSR too."""
    return matrix(table.T)


def as_table(table: Table) -> Table:
    """The matrix as CSR, float32, with sorted int32 indices and no stored zero."""
    converted = matrix(table).astype(np.float32)
    converted.eliminate_zeros()
    converted.sort_indices()
    converted.indices = converted.indices.astype(np.int32, copy=False)
    converted.indptr = converted.indptr.astype(np.int32, copy=False)
    return converted


def row_numbers(table: Table) -> IntArray:
    """The row of every stored value."""
    return np.repeat(np.arange(table.shape[0], dtype=np.int32), np.diff(table.indptr))


def row_sums(table: Table) -> FloatArray:
    """The sum of every row, in double precision."""
    sums: FloatArray = np.bincount(
        row_numbers(table), weights=table.data.astype(np.float64), minlength=table.shape[0]
    ).astype(np.float64)
    return sums


def normalised(table: Table) -> Table:
    """Every row scaled to sum to one."""
    sums = row_sums(table)
    scaled = as_table(table).copy()
    scaled.data = (scaled.data / sums[row_numbers(scaled)]).astype(np.float32)
    return scaled


def geometric_mean(forward: Table, backward: Table) -> Table:
    """``sqrt(p(t|s) p(s|t))`` of the pairs in both directions; not normalised."""
    product = forward.astype(np.float64).multiply(transposed(backward).astype(np.float64))
    return as_table(matrix(product).sqrt())


def pruning_mask(table: Table, *, threshold: float, mass: float, top: int) -> Mask:
    """Which stored values ``pruned`` retains; ties within a row go to the lower column."""
    if not 0 <= threshold < 1:
        raise ConfigError(f"threshold must be in [0, 1), got {threshold}")
    if not 0 < mass <= 1:
        raise ConfigError(f"mass must be in (0, 1], got {mass}")
    if top < 1:
        raise ConfigError(f"top must be at least 1, got {top}")
    rows = row_numbers(table)
    order = np.lexsort((table.indices, -table.data, rows))
    starts = table.indptr[rows].astype(np.int64)
    ranks = np.arange(len(order)) - starts  # `order` sorts within rows, so row starts still hold
    best_first = table.data[order].astype(np.float64)
    running = np.concatenate(([0.0], np.cumsum(best_first)))
    before = running[:-1] - running[starts]
    # a row's last value may miss the mass by rounding only; the slack retains it
    retained = (ranks < top) & (before < mass * (row_sums(table)[rows]) - 1e-7) | (ranks == 0)
    retained &= (best_first >= threshold) | (ranks == 0)
    mask = np.zeros(len(order), dtype=bool)
    mask[order[retained]] = True
    return mask


def pruned(table: Table, *, threshold: float, mass: float, top: int) -> Table:
    """Each row's best values only, scaled to sum to one again.

    A value is retained while those before it hold less than ``mass`` of the row, if it is among
    the best ``top`` and at least ``threshold``; the best value of a row is always retained.
    """
    return normalised(filtered(table, pruning_mask(table, threshold=threshold, mass=mass, top=top)))


def filtered(table: Table, mask: Mask) -> Table:
    """The stored values in ``mask``."""
    ends = np.concatenate(([0], np.cumsum(mask)))[table.indptr]
    return matrix((table.data[mask], table.indices[mask], ends.astype(np.int32)), table.shape)


def padded(counts: IntArray, size: int) -> IntArray:
    """The counts, followed by zeros up to ``size``."""
    return np.pad(counts, (0, size - len(counts)))


def with_prior(table: Table, counts: IntArray, prior: Table, weight: float) -> Table:
    """The rows mixed with those of ``prior``.

    Row r of ``table`` weighs ``counts[r]``, a row of ``prior`` weighs ``weight``; an empty row of
    one is replaced by the row of the other.
    """
    if weight <= 0:
        raise ConfigError(f"a dictionary's weight must be above 0, got {weight}")
    added = np.full(prior.shape[0] - table.shape[0], table.nnz, dtype=np.int32)
    parts = (table.data, table.indices, np.append(table.indptr, added))
    grown = matrix(parts, prior.shape).astype(np.float64)
    trust = np.where(row_sums(grown) > 0, np.maximum(counts, 1), 0)
    mixed = grown.multiply(trust[:, None]) + normalised(prior).multiply(weight)
    return normalised(matrix(mixed))


def values_at(table: Table, pattern: Table) -> FloatArray:
    """The values of ``table`` at every stored cell of ``pattern``, 0 where it has none."""
    width = table.shape[1]
    wanted = row_numbers(pattern).astype(np.int64) * width + pattern.indices
    stored = row_numbers(table).astype(np.int64) * width + table.indices
    values = np.zeros(len(wanted), dtype=np.float32)
    values[np.searchsorted(wanted, stored)] = table.data
    return values
