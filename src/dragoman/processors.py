"""The processors that this process may use."""

import os

_limit: list[int] = []  # of a worker, which shares its machine with others


def limit_cores(count: int) -> None:
    """Use no more than ``count`` cores from now on."""
    _limit[:] = [count]


def cores() -> int:
    """The number of cores that this process may use."""
    return min(_present(), *_limit) if _limit else _present()


def _present() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
