"""Values in batches, as ``itertools.batched`` of Python 3.12."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

T = TypeVar("T")


def batched(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """The values in lists of ``size``, the last one shorter."""
    stream = iter(values)
    while batch := list(islice(stream, size)):
        yield batch
