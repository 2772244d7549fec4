"""Many items -> few, evenly spaced from the first to the last."""

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def evenly_spaced(items: Sequence[T], most: int | None) -> tuple[T, ...]:
    """At most ``most`` items in their order; all of them where ``most`` is None."""
    if most is None or len(items) <= most:
        return tuple(items)
    return tuple(items[number * len(items) // most] for number in range(most))
