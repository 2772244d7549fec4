"""How an index in a cluster is laid out and used, with defaults for three nodes."""

from dataclasses import dataclass
from enum import StrEnum

from dragoman.errors import ConfigError


class VectorQuantization(StrEnum):
    """How rows are compressed for the shortlist; scores are always exact."""

    NONE = "none"
    SCALAR = "scalar"  # a byte a number
    BINARY = "binary"  # a bit a number


@dataclass(frozen=True, kw_only=True, slots=True)
class ClusterSettings:
    """The first group (``LAYOUT``) is fixed at the build; the others belong to each process.

    ``replication`` copies of every shard; ``write_factor`` of them must have a write before it
    counts. Rows of a shard's segment are compared one by one up to ``graph_from_kilobytes`` (a
    row has one in half precision); above, a graph with ``graph_links`` for each document is
    searched with ``graph_width``, unless ``exact`` asks to compare all.
    """

    shards: int = 6
    replication: int = 2
    write_factor: int = 1
    on_disk: bool = False
    quantization: VectorQuantization = VectorQuantization.NONE
    graph_links: int = 32
    graph_build_width: int = 256
    graph_from_kilobytes: int = 200_000

    graph_width: int = 1024
    exact: bool = False
    read_seconds: int = 10
    write_seconds: int = 10  # of one attempt
    retry_seconds: float = 120.0  # how long a write is tried again
    lease_seconds: float = 15.0  # after which a writer that shows no sign of life is replaced

    def __post_init__(self) -> None:
        for name in ("shards", "replication", "write_factor", "read_seconds", "write_seconds"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be 1 or more, got {getattr(self, name)}")
        if self.write_factor > self.replication:
            raise ConfigError(
                f"write_factor must be at most replication ({self.replication}), got"
                f" {self.write_factor}"
            )


LAYOUT = (
    *("shards", "replication", "write_factor", "on_disk", "quantization"),
    *("graph_links", "graph_build_width", "graph_from_kilobytes"),
)


def layout(settings: ClusterSettings) -> dict[str, object]:
    """The settings that are fixed when an index is built."""
    return {name: getattr(settings, name) for name in LAYOUT}
