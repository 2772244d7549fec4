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

    host: str = ""  # the head of the cluster; empty for workers of this machine
    port: int = 0
    count: int = 0

    def __str__(self) -> str:
        return f"ray://{self.head}" if self.host else f"local:{self.count}"

    @property
    def head(self) -> str:
        """The address of the cluster's head, as Ray takes it."""
        return f"{self.host}:{self.port}"


def parse_workers(value: str) -> WorkersAddress:
    """The workers that ``local:N`` or ``ray://HOST:PORT`` names."""
    if here := LOCAL.fullmatch(value):
        return WorkersAddress(count=int(here[1]))
    there = CLUSTER.fullmatch(value)
    if there and 0 < int(there[2]) <= LARGEST_PORT:
        return WorkersAddress(host=there[1], port=int(there[2]))
    raise ConfigError(
        f"Found --workers {value}; expected local:N, as in local:4, or the head of a Ray cluster"
        " that this machine is a node of, as in ray://10.0.0.1:6379."
    )
