"""The settings of a saved system: which one it is, and what it says of itself, as JSON."""

import json
from pathlib import Path
from typing import Any

from dragoman.errors import IndexFault

CONFIG = "config.json"


def write_facts(folder: Path, system: str, **facts: object) -> None:
    """Write what ``read_facts`` reads."""
    text = json.dumps({"system": system, **facts}, indent=1)
    (folder / CONFIG).write_text(text, encoding="utf-8")


def read_facts(folder: Path, system: str | None = None) -> dict[str, Any]:
    """What was written into ``folder``; by another system than ``system`` is an error."""
    try:
        facts = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        found = facts["system"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise IndexFault(
            f"{folder / CONFIG}: found no settings of a saved system ({error}); build the index"
            " again, or name another folder."
        ) from error
    if system is not None and found != system:
        raise IndexFault(f"{folder}: found {found!r}; expected {system!r}.")
    return dict(facts)
