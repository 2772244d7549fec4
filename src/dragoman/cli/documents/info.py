"""``dragoman info``: what an index holds, how it was built, and from where."""

from dragoman.cli import terminal
from dragoman.cli.options import AsJson, IndexFolder


def info(folder: IndexFolder, as_json: AsJson = False) -> None:
    """Describe INDEX: documents, languages, size, system, sources, warnings, tuned weights.

    [dim]dragoman info my-index[/]
    """
    from dataclasses import asdict

    from dragoman.indexes.index import Index
    from dragoman.indexes.maintenance.description import describe
    from dragoman.tuning.record import saved_tuning

    with Index(folder) as index:
        facts, tuned = describe(index), saved_tuning(index)
    if as_json:
        terminal.print_json(facts | {"tuned": asdict(tuned) if tuned else None})
        return
    facts["tuned"] = str(tuned or "")
    for name, value in facts.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {shown(one)}" for key, one in value.items())  # noqa: PLW2901
        elif isinstance(value, list):
            value = "; ".join(map(str, value))  # noqa: PLW2901
        if value not in ("", None):
            terminal.out.print(f"[dim]{name:12s}[/] {terminal.plain(shown(value))}", soft_wrap=True)


def shown(value: object) -> str:
    """Numbers with thousands set apart."""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
