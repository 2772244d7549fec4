"""The settings of a saved system as JSON: its name and its own facts."""

import json
from pathlib import Path
from typing import Any

from dragoman.errors import IndexFault

CONFIG = "config.json"


def write_facts(folder: Path, system: str, **facts: object) -> None:
    """Write the name of a system and its facts to ``folder``."""
    text = json.dumps({"system": system, **facts}, indent=1)
    (folder / CONFIG).write_text(text, encoding="utf-8")


def read_facts(folder: Path, system: str | None = None) -> dict[str, Any]:
    """The facts in ``folder``; those of another system than ``system`` are an error."""
    try:
        facts = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        name = facts["system"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise IndexFault(
            f"{folder / CONFIG}: found no settings of a saved system ({error}); build the index"
            " again, or name another folder."
        ) from error
    if system is not None and name != system:
        raise IndexFault(f"{folder}: found {name!r}; expected {system!r}.")
    return dict(facts)
