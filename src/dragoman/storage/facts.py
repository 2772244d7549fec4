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
        path.write_text(self.dump(facts) + "\n", encoding="utf-8")

    def read(self, path: Path) -> dict[str, Any]:
        """The facts, without format and version; another format or version is an error."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as error:
            raise self._error(path, f"no facts ({error})") from error
        return self.parse(text, path)

    def dump(self, facts: Mapping[str, Any]) -> str:
        """Format, version and ``facts`` as JSON."""
        whole = {"format": self.name, "version": self.version, **facts}
        return json.dumps(whole, ensure_ascii=False, indent=2, sort_keys=True)

    def parse(self, text: str, path: Path) -> dict[str, Any]:
        """The facts in ``text``, the output of ``dump``; errors name ``path``."""
        try:
            facts = json.loads(text)
        except ValueError as error:
            raise self._error(path, f"no facts ({error})") from error
        if not isinstance(facts, dict):
            raise self._error(path, type(facts).__name__)
        name, version = facts.pop("format", None), facts.pop("version", None)
        if (name, version) != (self.name, self.version):
            raise self._error(path, f"format {name!r} version {version!r}")
        return facts

    def _error(self, path: Path, found: str) -> InputError:
        expected = f"{self.name!r} version {self.version}, written by {self.written_by}"
        return InputError(path, None, found=found, expected=expected)
