"""``--workers``: the workers that a command encodes or searches with."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman import registry
from dragoman.workers.address import parse_workers

if TYPE_CHECKING:
    from dragoman.workers.ray_workers import RayWorkers


def workers_address(value: str) -> str:
    """A callback of options: the value, if it names workers."""
    if value:
        parse_workers(value)
    return value


WorkersPlace = Annotated[
    str,
    typer.Option(
        "--workers",
        metavar="WORKERS",
        help="Work in so many Ray workers on this machine, as in local:4, or on a Ray cluster, as"
        " in ray://10.0.0.1:6379; the results are the same (extra ray).",
        show_default=False,
        callback=workers_address,
    ),
]


@contextmanager
def open_workers(value: str) -> Iterator["RayWorkers | None"]:
    """The workers until the end of the block; None where a command works in its own process."""
    if not value:
        yield None
        return
    with registry.load("dragoman.workers.ray_workers:RayWorkers")(value) as workers:
        yield workers
