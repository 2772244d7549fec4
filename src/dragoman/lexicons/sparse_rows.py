"""Sparse rows of probabilities: normalise, prune, average; rows that become empty stay empty.

scipy is imported where a matrix is made: a search begins without one.
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
    """A float32 matrix with sorted columns; values of one cell are added up."""
    from scipy.sparse import coo_array, csr_array  # noqa: PLC0415

    made = csr_array(coo_array((values.astype(np.float64), (rows, columns)), shape=shape))
    made.sum_duplicates()
    return as_table(made)


def matrix(parts: tuple[Any, ...], shape: tuple[int, int]) -> Table:
    """A matrix of ``(values, columns, starts)`` or of ``(values, (rows, columns))``."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    return csr_array(parts, shape=shape)


def transposed(matrix: Table) -> Table:
    """Rows as columns, in the same form."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    return csr_array(matrix.T)


def as_table(matrix: Table) -> Table:
    """The matrix as tables keep it: CSR, float32, int32 indices, sorted, no stored zero."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    made = csr_array(matrix).astype(np.float32)
    made.eliminate_zeros()
    made.sort_indices()
    made.indices = made.indices.astype(np.int32, copy=False)
    made.indptr = made.indptr.astype(np.int32, copy=False)
    return made


def row_numbers(matrix: Table) -> IntArray:
    """The row of every stored value."""
    return np.repeat(np.arange(matrix.shape[0], dtype=np.int32), np.diff(matrix.indptr))


def row_sums(matrix: Table) -> FloatArray:
    """The sum of every row, in double precision."""
    sums: FloatArray = np.bincount(
        row_numbers(matrix), weights=matrix.data.astype(np.float64), minlength=matrix.shape[0]
    ).astype(np.float64)
    return sums


def normalised(matrix: Table) -> Table:
    """Every row scaled to sum to one."""
    sums = row_sums(matrix)
    scaled = as_table(matrix).copy()
    scaled.data = (scaled.data / sums[row_numbers(scaled)]).astype(np.float32)
    return scaled


def geometric_mean(forward: Table, backward: Table) -> Table:
    """``sqrt(p(t|s) p(s|t))`` where both directions know the pair; not normalised."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    product = forward.astype(np.float64).multiply(csr_array(backward.T).astype(np.float64))
    return as_table(csr_array(product).sqrt())


def pruning_mask(matrix: Table, *, threshold: float, mass: float, top: int) -> Mask:
    """Which stored values stay, best first within a row (ties by column): see ``pruned``."""
    if not 0 <= threshold < 1:
        raise ConfigError(f"threshold must be in [0, 1), got {threshold}")
    if not 0 < mass <= 1:
        raise ConfigError(f"mass must be in (0, 1], got {mass}")
    if top < 1:
        raise ConfigError(f"top must be at least 1, got {top}")
    rows = row_numbers(matrix)
    order = np.lexsort((matrix.indices, -matrix.data, rows))
    starts = matrix.indptr[rows].astype(np.int64)
    ranks = (
        np.arange(len(order)) - starts
    )  # rows are whole in `order`, so starts stay where they are
    best_first = matrix.data[order].astype(np.float64)
    running = np.concatenate(([0.0], np.cumsum(best_first)))
    before = running[:-1] - running[starts]
    # a row's last value may miss the mass by rounding only; the slack keeps it
    stays = (ranks < top) & (before < mass * (row_sums(matrix)[rows]) - 1e-7) | (ranks == 0)
    stays &= (best_first >= threshold) | (ranks == 0)
    mask = np.zeros(len(order), dtype=bool)
    mask[order[stays]] = True
    return mask


def pruned(matrix: Table, *, threshold: float, mass: float, top: int) -> Table:
    """Each row's best values and nothing else, scaled to sum to one again.

    A value stays while those before it hold less than ``mass`` of the row, it is among the best
    ``top``, and it is at least ``threshold``; the best value of a row always stays.
    """
    return normalised(
        filtered(matrix, pruning_mask(matrix, threshold=threshold, mass=mass, top=top))
    )


def filtered(matrix: Table, mask: Mask) -> Table:
    """The stored values that ``mask`` names."""
    from scipy.sparse import csr_array  # noqa: PLC0415

    ends = np.concatenate(([0], np.cumsum(mask)))[matrix.indptr]
    parts = (matrix.data[mask], matrix.indices[mask], ends.astype(np.int32))
    return csr_array(parts, shape=matrix.shape)


def padded(counts: IntArray, size: int) -> IntArray:
    """The counts, with 0 for words that were added after them."""
    return np.pad(counts, (0, size - len(counts)))


def with_prior(matrix: Table, counts: IntArray, prior: Table, weight: float) -> Table:
    """Rows moved towards those of ``prior``: row r of ``matrix`` counts ``counts[r]`` sightings,
    that of ``prior`` counts ``weight``; a row that one of them lacks is the other's.
    """
    from scipy.sparse import csr_array  # noqa: PLC0415

    if weight <= 0:
        raise ConfigError(f"a dictionary's weight must be above 0, got {weight}")
    added = np.full(prior.shape[0] - matrix.shape[0], matrix.nnz, dtype=np.int32)
    parts = (matrix.data, matrix.indices, np.append(matrix.indptr, added))
    grown = csr_array(parts, shape=prior.shape).astype(np.float64)
    trust = np.where(row_sums(grown) > 0, np.maximum(counts, 1), 0)
    mixed = grown.multiply(trust[:, None]) + normalised(prior).multiply(weight)
    return normalised(csr_array(mixed))


def spread(matrix: Table, pattern: Table) -> FloatArray:
    """The values of ``matrix`` at every stored place of ``pattern``, 0 where it has none."""
    width = matrix.shape[1]
    wanted = row_numbers(pattern).astype(np.int64) * width + pattern.indices
    held = row_numbers(matrix).astype(np.int64) * width + matrix.indices
    values = np.zeros(len(wanted), dtype=np.float32)
    values[np.searchsorted(wanted, held)] = matrix.data
    return values
