"""Reports of several experiments in one page: each replaces its own section and no other."""

import os
import platform
from datetime import UTC, datetime
from pathlib import Path

import dragoman
from dragoman.storage.staging import write_lines

TITLE = (
    "# Results\n\nEvery section is written by the command that it names; discussions behind a"
    " section are written by hand.\n"
)


def write_section(page: Path, name: str, text: str) -> None:
    """Put ``text`` between the markers of ``name``, at the end of the page where they are new."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    section = f"{begin}\n{text.strip()}\n{end}"
    before = page.read_text(encoding="utf-8") if page.exists() else TITLE
    if begin in before and end in before:
        head, _, rest = before.partition(begin)
        tail = rest.partition(end)[2]
        whole = head + section + tail
    else:
        whole = f"{before.rstrip()}\n\n{section}\n"
    with write_lines(page) as stream:
        stream.write(whole)


def provenance(command: str) -> list[str]:
    """Command, date, machine and versions of a section, as lines of a list."""
    return [
        f"- command: `{command}`",
        f"- date: {datetime.now(UTC):%Y-%m-%d}; machine: {platform.machine()},"
        f" {os.cpu_count()} cores; Python {platform.python_version()}; version"
        f" {dragoman.__version__}",
    ]
