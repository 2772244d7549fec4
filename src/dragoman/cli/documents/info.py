"""``dragoman info``: what an index holds, how it was built, and from where."""

import json

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
    treatments = facts.pop("treatments")
    for name, value in facts.items():
        if isinstance(value, dict):
            value = ", ".join(f"{key} {shown(one)}" for key, one in value.items())  # noqa: PLW2901
        elif isinstance(value, list):
            value = "; ".join(map(str, value))  # noqa: PLW2901
        if value not in ("", None):
            terminal.out.print(f"[dim]{name:12s}[/] {terminal.plain(shown(value))}", soft_wrap=True)
    for language, treatment in treatments.items():
        terminal.out.print(
            f"[dim]{'read as ' + language:12s}[/] {terminal.plain(readable(treatment))}",
            soft_wrap=True,
        )


def readable(treatment: str) -> str:
    """The analyser, table and encoder of a language; those of several parts apart by semicolons."""
    parts = json.loads(treatment) if treatment.startswith("[") else [treatment]
    return "; ".join(", ".join(filter(None, part.split("|"))) for part in parts)


def shown(value: object) -> str:
    """Numbers with thousands set apart."""
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)
