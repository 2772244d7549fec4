"""Results of long runs as JSON files, reused as long as what produced them is the same."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dragoman.storage.staging import write_lines


def as_json(fields: Mapping[str, object]) -> dict[str, Any]:
    """The fields as JSON gives them back: tuples are lists, enumerations are strings."""
    plain: dict[str, Any] = json.loads(json.dumps(fields))
    return plain


def load_result(path: Path, expected: Mapping[str, object]) -> dict[str, Any] | None:
    """The saved fields; None where there is no file or where a field of ``expected`` differs."""
    if not path.is_file():
        return None
    saved: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    same = all(saved.get(name) == value for name, value in as_json(expected).items())
    return saved if same else None


def save_result(path: Path, fields: Mapping[str, object]) -> None:
    """Write the fields; the folder is made where it is missing."""
    with write_lines(path) as stream:
        stream.write(json.dumps(fields) + "\n")
