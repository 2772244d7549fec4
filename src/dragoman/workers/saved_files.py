"""A system -> its files in memory, and back on a worker, where it must encode alike."""

import hashlib
import json
import shutil
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp

import dragoman
from dragoman import registry
from dragoman.errors import IndexFault
from dragoman.indexes.loading import adapted_system
from dragoman.indexes.system import System

ADVICE = "Install the same version, tables and models on every node."


@dataclass(frozen=True, slots=True)
class SystemFiles:
    """What a worker needs to encode as another process does."""

    system: str
    version: str
    settings: str  # as JSON
    contents: Mapping[str, bytes]

    @classmethod
    def of(cls, system: System) -> "SystemFiles":
        """The files that ``system`` saves."""
        with TemporaryDirectory(prefix="dragoman-") as name:
            folder = Path(name)
            system.save(folder)
            contents = {
                path.relative_to(folder).as_posix(): path.read_bytes()
                for path in sorted(folder.rglob("*"))
                if path.is_file()
            }
        return cls(system.name, dragoman.__version__, _plain(system.settings), contents)

    @property
    def digest(self) -> str:
        """Equal for equal files and settings."""
        digest = hashlib.sha256(f"{self.system} {self.version} {self.settings}".encode())
        for name, content in self.contents.items():
            digest.update(f"{name} {len(content)} ".encode() + content)
        return digest.hexdigest()

    def load(self, folder: Path) -> System:
        """The system, from files in ``folder``; refused where encoder or version is another one."""
        if dragoman.__version__ != self.version:
            raise IndexFault(
                f"found dragoman {dragoman.__version__}; expected {self.version}. {ADVICE}"
            )
        for file, content in self.contents.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        system: System = registry.system(self.system).load(folder)
        if (found := _plain(system.settings)) != self.settings:
            raise IndexFault(f"found the settings {found}; expected {self.settings}. {ADVICE}")
        return system


class LoadedSystem:
    """A system on a worker, which treats every language as the builder of the index does."""

    def __init__(self, files: SystemFiles) -> None:
        folder = Path(mkdtemp(prefix="dragoman-"))  # a system may read its files later, too
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        self._system = self._adapted = files.load(folder)
        self._treatments: dict[str, str] = {}

    def treating(self, treatments: Mapping[str, str]) -> System:
        """The system for documents of these languages."""
        if not treatments.items() <= self._treatments.items():
            every = {**self._treatments, **treatments}
            self._adapted = adapted_system(self._system, every, "this worker", ADVICE)
            self._treatments = every
        return self._adapted


def _plain(settings: Mapping[str, object]) -> str:
    return json.dumps(settings, sort_keys=True)
