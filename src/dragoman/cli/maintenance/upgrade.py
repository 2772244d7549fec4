"""``dragoman upgrade``: an index rebuilt from its own texts for this installation."""

from dragoman.cli import terminal
from dragoman.cli.search import IndexFolder


def upgrade(index: IndexFolder) -> None:
    """Rebuild INDEX from its own texts if its format, tables or encoder are not today's.

    System, settings and your own tables, students and models stay the same. The old index is
    replaced when the new one is whole; a killed upgrade goes on where it stopped.

    [dim]dragoman upgrade my-index[/]
    """
    import dragoman
    from dragoman.indexes.maintenance.upgrading import upgrade as rebuilt

    with terminal.Stages() as stages:
        differences = rebuilt(index, version=dragoman.__version__, stage=stages.stage)
    name = terminal.plain(str(index))
    if not differences:
        terminal.out.print(f"{name}: fits this installation; left as it is", soft_wrap=True)
        return
    for difference in differences:
        terminal.out.print(f"differed: {terminal.plain(difference)}", soft_wrap=True)
    with dragoman.open(index) as opened:
        terminal.out.print(
            f"{name}: {opened.count():,} documents, {opened.manifest.system}, upgraded",
            soft_wrap=True,
        )
