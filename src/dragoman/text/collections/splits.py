"""Items -> training, validation and test, 3:1:1 by query; the same seed gives the same split.

A group is never divided: variants of one thing (a library, its headers, its documentation) share
sentences, and a sentence of a test item must not be trained on. Draws are hashes of seed and name,
so that neither the order of items nor the version of a library changes them.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from dragoman.text.collections.items import Item


class Split(StrEnum):
    """The part of a collection that a query belongs to."""

    TRAIN = "train"
    VALIDATION = "validation"
    TEST = "test"


SHARES: Mapping[Split, float] = {Split.TRAIN: 3 / 5, Split.VALIDATION: 1 / 5, Split.TEST: 1 / 5}


def draws(*key: object) -> Iterator[int]:
    """An endless stream of 64-bit numbers that depends on ``key`` alone."""
    seed = "\t".join(map(str, key)).encode()
    block = 0
    while True:
        digest = hashlib.blake2b(seed, salt=block.to_bytes(16, "big")).digest()
        for start in range(0, len(digest), 8):
            yield int.from_bytes(digest[start : start + 8], "big")
        block += 1


def split_items(items: Iterable[Item], queries: Mapping[str, str], seed: int) -> dict[str, Split]:
    """Item name -> split; the shares hold for the items that have a query.

    Groups are assigned in the order of their draws, each to the split that lacks most queries.
    """
    groups: dict[str, list[Item]] = {}
    for item in items:
        groups.setdefault(item.group, []).append(item)
    order = sorted(groups, key=lambda group: (next(draws("split", seed, group)), group))
    filled: Counter[Split] = Counter()
    chosen: dict[str, Split] = {}
    for group in order:
        weight = sum(item.name in queries for item in groups[group])
        split = max(SHARES, key=lambda part: SHARES[part] * len(queries) - filled[part])
        filled[split] += weight
        chosen.update((item.name, split) for item in groups[group])
    return chosen


def distinct_queries(items: Iterable[Item]) -> dict[str, str]:
    """Item name -> its query; of several items with one query, the first by name has it."""
    first_item: dict[str, str] = {}
    for item in sorted(items, key=lambda item: item.name):
        if item.query:
            first_item.setdefault(item.query.casefold(), item.name)
    names = set(first_item.values())
    return {item.name: item.query for item in items if item.name in names}


def sample(pool: Sequence[str], count: int, without: set[str], key: Sequence[object]) -> list[str]:
    """Up to ``count`` different names of ``pool`` that are not in ``without``, sorted."""
    if len(pool) - len(without) <= 2 * count:  # from a small pool, random draws would often repeat
        left = [name for name in pool if name not in without]
        keyed = zip(draws(*key), left, strict=False)
        return sorted(name for _, name in sorted(keyed)[:count])
    chosen: set[str] = set()
    for draw in draws(*key):
        if len(chosen) >= count:
            break
        name = pool[draw % len(pool)]
        if name not in without:
            chosen.add(name)
    return sorted(chosen)
