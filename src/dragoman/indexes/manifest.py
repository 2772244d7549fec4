"""The manifest of an index: format, system and settings, checked before anything else is read."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Self
from uuid import uuid4

from dragoman.errors import IndexFault
from dragoman.storage.staging import write_lines

FORMAT = 4
OLDEST = 4  # the oldest format whose texts ``dragoman upgrade`` reads
ENGINE_FORMATS = range(1, 4)  # of an engine that is no longer part of the package
MANIFEST, SYSTEM, STORE = "manifest.json", "system", "store"  # in the folder of an index


@dataclass(frozen=True, slots=True)
class Manifest:
    """The settings that an installation must match, and the warnings of the build."""

    dragoman: str
    system: str
    settings: Mapping[str, Any]
    warnings: tuple[str, ...]
    identity: str = field(default_factory=lambda: uuid4().hex)  # of this build
    format: int = FORMAT

    def write(self, folder: Path) -> None:
        """Write the manifest to ``folder``, atomically."""
        with write_lines(folder / MANIFEST) as stream:
            stream.write(json.dumps(asdict(self), ensure_ascii=False, indent=2) + "\n")

    @classmethod
    def read(cls, folder: Path, oldest: int | None = None) -> Self:
        """The manifest of an index; refused where it is missing, damaged or of another format.

        ``oldest`` is the oldest format that the caller accepts; by default only the current one.
        """
        path = folder / MANIFEST
        if not path.is_file():
            raise IndexFault(
                f"{folder}: found no {MANIFEST}; expected an index folder."
                f" Build one with: dragoman index SOURCE -o {folder}"
            )
        try:
            fields = json.loads(path.read_text(encoding="utf-8"))
            version = fields["format"]
            if version in range(oldest or FORMAT, FORMAT + 1):
                return cls(**{**fields, "warnings": tuple(fields["warnings"])})
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise IndexFault(
                f"{path}: found something that is no manifest ({error}). Restore the index from a"
                " snapshot, or build it again: dragoman export still reads its documents."
            ) from error
        raise IndexFault(f"{path}: found index format {version}{_advice(folder, version)}")

    def check_settings(self, folder: Path, settings: Mapping[str, object]) -> None:
        """Refuse settings that differ from those of the build."""
        now = json.loads(json.dumps(settings))
        for key in sorted(now.keys() | self.settings.keys()):
            if now.get(key) != self.settings.get(key):
                raise IndexFault(
                    f"{folder}: built with {key} = {self.settings.get(key)!r}, but this"
                    f" installation has {now.get(key)!r}. Rebuild it from its own texts: dragoman"
                    f" upgrade {folder}; or install what it was built with."
                )


def is_index(folder: Path) -> bool:
    """Whether a folder holds an index, of whatever format."""
    return (folder / MANIFEST).is_file() and (folder / STORE).is_dir()


def _advice(folder: Path, version: object) -> str:
    """The end of the error about an index of another format: what to do with it."""
    reads = f"; this version reads format {FORMAT}."
    if version in ENGINE_FORMATS:
        return (
            f", of dragoman 0.1{reads} Build the index again from its sources, or carry its"
            f" documents over: with dragoman 0.1 run `dragoman export {folder} -o"
            f" documents.jsonl`, with this version `dragoman index documents.jsonl -o {folder}`."
        )
    if version in range(OLDEST, FORMAT):
        return f"{reads} Rebuild it from its own texts: dragoman upgrade {folder}"
    return f"{reads} Install the version that wrote it, or build the index again."


def refuse_foreign_folder(folder: Path) -> None:
    """Refuse a folder that holds anything but an index."""
    if not folder.exists():
        return
    if not folder.is_dir() or (any(folder.iterdir()) and not (folder / MANIFEST).is_file()):
        raise IndexFault(
            f"{folder}: found something that is not an index; it is left alone."
            " Name another folder, or remove this one yourself."
        )
