"""``dragoman copy``: an index from a folder to a cluster, or back."""

from typing import Annotated

import typer

from dragoman.cli import terminal


def copy(
    source: Annotated[
        str,
        typer.Argument(metavar="FROM", help="An index folder or cluster.", show_default=False),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="TO",
            help="The other of the two, as in qdrant://127.0.0.1:6333/news.",
            show_default=False,
        ),
    ],
) -> None:
    """Copy an index between a folder and a Qdrant cluster; nothing is encoded again.

    An index of the same name is replaced at the end, at one moment. A copy that was interrupted
    continues where it stopped.

    [dim]dragoman copy my-index qdrant://127.0.0.1:6333/news[/]
    """
    from pathlib import Path

    from dragoman import registry
    from dragoman.cluster.address import is_cluster_address
    from dragoman.errors import UserError

    to_cluster = is_cluster_address(target)
    if to_cluster == is_cluster_address(source):
        raise UserError(
            f"Found {source} and {target}; expected a folder and an index in a cluster, as in"
            " qdrant://127.0.0.1:6333/news."
        )
    parse = registry.load("dragoman.cluster.address:parse_cluster_address")
    with terminal.Stages() as stages:
        if to_cluster:
            work = registry.load("dragoman.cluster.copying:copy_to_cluster")
            copied = work(Path(source), parse(target), stages.stage)
        else:
            work = registry.load("dragoman.cluster.copying:copy_to_folder")
            copied = work(parse(source), Path(target), stages.stage)
    with copied:
        terminal.out.print(f"{target}: {copied.count():,} documents copied", soft_wrap=True)
