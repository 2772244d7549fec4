"""``dragoman upgrade``: an index rebuilt from its own texts for this installation."""

from dragoman.cli import terminal
from dragoman.cli.options import IndexFolder


def upgrade(folder: IndexFolder) -> None:
    """Rebuild INDEX from its own texts if its format, tables or encoder are out of date.

    System, settings and your own tables, students and models stay the same. The old index is
    replaced when the new one is complete; a killed upgrade is resumed by the same command.

    [dim]dragoman upgrade my-index[/]
    """
    import dragoman
    from dragoman.indexes.maintenance.upgrade import upgrade as rebuild

    with terminal.Stages() as stages:
        differences = rebuild(folder, version=dragoman.__version__, stage=stages.stage)
    name = terminal.plain(str(folder))
    if not differences:
        terminal.out.print(f"{name}: fits this installation; left as it is", soft_wrap=True)
        return
    for difference in differences:
        terminal.out.print(f"differed: {terminal.plain(difference)}", soft_wrap=True)
    with dragoman.open(folder) as index:
        terminal.out.print(
            f"{name}: {index.count():,} documents, {index.manifest.system}, upgraded",
            soft_wrap=True,
        )
