"""What a saved model or training says of itself: JSON with a format and a version, both checked."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dragoman.errors import InputError


def write_versioned(path: Path, name: str, version: int, facts: Mapping[str, Any]) -> None:
    """Write what ``read_versioned`` reads."""
    text = json.dumps({"format": name, "version": version, **facts}, ensure_ascii=False, indent=2)
    path.write_text(text + "\n", encoding="utf-8")


def read_versioned(path: Path, name: str, version: int, wanted: str) -> dict[str, Any]:
    """The facts of a file, without format and version, which must be these.

    ``wanted`` tells a person what should have been there.
    """
    try:
        facts: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(
            path, None, found=f"nothing readable ({error})", expected=wanted
        ) from error
    found = facts.pop("format", None), facts.pop("version", None)
    if found != (name, version):
        raise InputError(
            path,
            None,
            found=f"format {found[0]!r} version {found[1]!r}",
            expected=f"{name!r} version {version}",
        )
    return facts
