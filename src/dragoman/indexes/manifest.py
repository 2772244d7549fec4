"""What an index says of itself, checked before anything else of it is read."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Self

from dragoman.errors import IndexFault
from dragoman.text.files import write_lines

FORMAT = 3
MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Manifest:
    """The facts that must fit for an index to be searched, and the notices of its build."""

    dragoman: str
    system: str
    settings: Mapping[str, Any]
    notices: tuple[str, ...]
    format: int = FORMAT

    def write(self, folder: Path) -> None:
        """Put the manifest into ``folder``, whole or not at all."""
        with write_lines(folder / MANIFEST) as stream:
            stream.write(json.dumps(asdict(self), ensure_ascii=False, indent=2) + "\n")

    @classmethod
    def read(cls, folder: Path) -> Self:
        """The manifest of an index, refused where it is missing, damaged or from the future."""
        path = folder / MANIFEST
        if not path.is_file():
            raise IndexFault(
                f"{folder}: found no {MANIFEST}; expected an index folder."
                f" Build one with: dragoman index SOURCE -o {folder}"
            )
        try:
            fields = json.loads(path.read_text(encoding="utf-8"))
            found = fields["format"]
        except (ValueError, KeyError, TypeError) as error:
            raise IndexFault(
                f"{path}: found something that is no manifest ({error}). Restore the file from a"
                " copy, or build the index again."
            ) from error
        if found != FORMAT:
            raise IndexFault(
                f"{path}: found index format {found}; this version reads format {FORMAT}."
                " Install the version that wrote it, or build the index again."
            )
        return cls(**{**fields, "notices": tuple(fields["notices"])})

    def refuse_other(self, folder: Path, settings: Mapping[str, object]) -> None:
        """Refuse to search with settings that are not those of the build."""
        now = json.loads(json.dumps(settings))
        for key in sorted(now.keys() | self.settings.keys()):
            if now.get(key) != self.settings.get(key):
                raise IndexFault(
                    f"{folder}: built with {key} = {self.settings.get(key)!r}, but this"
                    f" installation has {now.get(key)!r}. Build the index again, or install what"
                    " it was built with."
                )


def refuse_foreign_folder(folder: Path) -> None:
    """Refuse to replace anything but an index or an empty folder."""
    if not folder.exists():
        return
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / MANIFEST).is_file()):
        raise IndexFault(
            f"{folder}: found something that is not an index; it is left alone."
            " Name another folder, or remove this one yourself."
        )
