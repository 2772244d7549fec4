"""Values in batches, as ``itertools.batched`` of Python 3.12, and values that are taken ahead."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batched(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """The values in lists of ``size``, the last one shorter."""
    stream = iter(values)
    while batch := list(islice(stream, size)):
        yield batch


def read_ahead(values: Iterable[T], ahead: int) -> Iterator[T]:
    """The values in their order; each is taken when it is at most ``ahead`` others away."""
    pending: deque[T] = deque()
    for value in values:
        pending.append(value)
        if len(pending) > ahead:
            yield pending.popleft()
    while pending:
        yield pending.popleft()
