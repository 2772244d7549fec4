"""``dragoman benchmark``: systems measured by other tools' benchmarks."""

import typer

from dragoman.cli.benchmark.mteb import benchmark_mteb

group = typer.Typer(
    no_args_is_help=True, help="Measure a system on the tasks of a public benchmark."
)


@group.callback()
def root() -> None:
    """Measure a system on the tasks of a public benchmark."""


group.command("mteb")(benchmark_mteb)
