"""The value of ``--workers``: how many workers on this machine, or a Ray cluster."""

import re
from dataclasses import dataclass

from dragoman.errors import ConfigError

CLUSTER = re.compile(r"ray://(\[[0-9a-fA-F:.]+\]|[\w.-]+):(\d{1,5})")
LOCAL = re.compile(r"local:([1-9]\d{0,3})")
LARGEST_PORT = 65535


@dataclass(frozen=True, slots=True)
class WorkersAddress:
    """A Ray cluster, or so many workers that are started on this machine."""

    cluster: str = ""  # the address of its client server; empty for workers of this machine
    count: int = 0

    def __str__(self) -> str:
        return self.cluster or f"local:{self.count}"


def parse_workers(value: str) -> WorkersAddress:
    """The workers that ``local:N`` or ``ray://HOST:PORT`` names."""
    if here := LOCAL.fullmatch(value):
        return WorkersAddress(count=int(here[1]))
    there = CLUSTER.fullmatch(value)
    if there and 0 < int(there[2]) <= LARGEST_PORT:
        return WorkersAddress(cluster=value)
    raise ConfigError(
        f"Found --workers {value}; expected local:N, as in local:4, or the address of a Ray"
        " cluster's client server, as in ray://10.0.0.1:10001."
    )
