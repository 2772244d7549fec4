"""Queries and a pool of documents -> documents that stand for "not relevant", drawn by chance."""

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ConfigError
from dragoman.types import IntArray


def sample_negatives(
    excluded: IntArray, starts: IntArray, pool: int, count: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """(n, count): for each of n queries, different documents 0 .. pool - 1 that are not excluded.

    Query i must not get ``excluded[starts[i]:starts[i + 1]]``. Drawn by rejection: what is excluded
    or drawn twice for a query is drawn again.
    """
    queries = len(starts) - 1
    sizes = np.diff(starts)
    fullest = int(sizes.max(initial=0))
    if pool - fullest < count:
        raise ConfigError(
            f"cannot draw {count} negatives: of {pool} documents, {fullest} are relevant to one"
            " query. Ask for fewer."
        )
    taken = np.unique(np.repeat(np.arange(queries), sizes) * pool + excluded)
    keys = np.empty(0, dtype=np.int64)
    missing = np.full(queries, count)
    while missing.any():
        owners = np.repeat(np.arange(queries), missing)
        drawn = owners * pool + rng.integers(0, pool, len(owners))
        _, first = np.unique(drawn, return_index=True)
        fresh = drawn[np.sort(first)]
        fresh = fresh[~np.isin(fresh, taken)]
        taken = np.union1d(taken, fresh)
        keys = np.concatenate([keys, fresh])
        missing = count - np.bincount(keys // pool, minlength=queries)
    order = np.argsort(keys // pool, kind="stable")
    return (keys[order] % pool).reshape(queries, count)
