"""Queries and a pool of documents -> sampled documents that count as not relevant."""

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import ConfigError
from dragoman.types import IntArray


def sample_negatives(
    excluded: IntArray, starts: IntArray, pool: int, count: int, rng: np.random.Generator
) -> NDArray[np.int64]:
    """(n, count): for each of n queries, distinct documents 0 .. pool - 1 that are not excluded.

    Those of query i are ``excluded[starts[i]:starts[i + 1]]``. Rejection sampling: an excluded or
    repeated document is drawn again.
    """
    queries = len(starts) - 1
    sizes = np.diff(starts)
    most_excluded = int(sizes.max(initial=0))
    if pool - most_excluded < count:
        raise ConfigError(
            f"cannot draw {count} negatives: of {pool} documents, {most_excluded} are relevant to"
            " one query. Sample fewer."
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
