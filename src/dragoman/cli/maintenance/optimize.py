"""``dragoman optimize``: the segments of an index merged into one."""

from dragoman.cli import terminal
from dragoman.cli.options import IndexFolder


def optimize(folder: IndexFolder) -> None:
    """Merge the segments of INDEX into one, after many additions or deletions.

    It is seldom needed: small segments are merged in the background, and `dragoman index` leaves
    one segment. The index can be searched and written to meanwhile.

    [dim]dragoman optimize my-index[/]
    """
    import dragoman

    with dragoman.open(folder) as index:
        documents = index.count()
        with terminal.progress("merging", documents) as advance:
            index.optimize()
            advance(documents)
    terminal.out.print(
        f"{terminal.plain(str(folder))}: {documents:,} documents, optimised", soft_wrap=True
    )
