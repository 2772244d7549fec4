"""Facts about saved data, as JSON: format, version and whatever else its reader needs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dragoman.errors import InputError


@dataclass(frozen=True, slots=True)
class Format:
    """The name and version of a saved format, checked whenever it is read."""

    name: str
    version: int
    written_by: str  # the command or part that writes it

    def write(self, path: Path, facts: Mapping[str, Any]) -> None:
        """Write format, version and ``facts``."""
        whole = {"format": self.name, "version": self.version, **facts}
        text = json.dumps(whole, ensure_ascii=False, indent=2, sort_keys=True)
        path.write_text(text + "\n", encoding="utf-8")

    def read(self, path: Path) -> dict[str, Any]:
        """The facts, without format and version; another format or version is an error."""
        expected = f"{self.name!r} version {self.version}, written by {self.written_by}"
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise InputError(path, None, found=f"no facts ({error})", expected=expected) from error
        if not isinstance(facts, dict):
            raise InputError(path, None, found=type(facts).__name__, expected=expected)
        name, version = facts.pop("format", None), facts.pop("version", None)
        if (name, version) != (self.name, self.version):
            raise InputError(
                path, None, found=f"format {name!r} version {version!r}", expected=expected
            )
        return facts
