"""``dragoman optimize``: the segments of an index merged into one."""

from dragoman.cli import terminal
from dragoman.cli.options import IndexFolder


def optimize(index: IndexFolder) -> None:
    """Merge the segments of INDEX into one, after many additions or deletions.

    It is seldom needed: small segments are merged in the background, and `dragoman index` leaves
    one segment. The index can be searched and written to meanwhile.

    [dim]dragoman optimize my-index[/]
    """
    import dragoman

    with dragoman.open(index) as opened:
        documents = opened.count()
        with terminal.progress("merging", documents) as advance:
            opened.optimize()
            advance(documents)
    terminal.out.print(
        f"{terminal.plain(str(index))}: {documents:,} documents, optimised", soft_wrap=True
    )
