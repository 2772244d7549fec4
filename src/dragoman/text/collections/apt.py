"""Debian's archive through apt, run in a private folder: lists and packages, nothing installed.

Sources, keys and proxies are the machine's. State, cache and logs are in the private folder, hooks
are off and nothing else is written, so that no special rights are needed.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

from dragoman.errors import ConfigError, DragomanError, UserError

SYSTEM_LISTS = Path("/var/lib/apt/lists")
HELPER = Path("/usr/lib/apt/apt-helper")
SECONDS = 1800  # timeout of one apt command
SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9+._-]*")

NO_APT = (
    "This collection is built from Debian's archive, and apt-get was not found on this machine."
    " Build it on Debian or Ubuntu (a container will do), or name a folder that holds the files"
    " already: --lists for apt's lists, --debs for packages."
)


class AptFault(DragomanError):
    """An apt command failed: no network, no such package, no space."""


class NoApt(UserError):
    """No apt on this machine."""

    def __init__(self) -> None:
        super().__init__(NO_APT)


@dataclass(frozen=True, slots=True)
class State:
    """A private folder for apt: lists, archives and settings."""

    folder: Path

    @property
    def lists(self) -> Path:
        """The folder of package and translation lists."""
        return self.folder / "lists"

    @property
    def archives(self) -> Path:
        """The folder of downloaded packages."""
        return self.folder / "archives"

    @property
    def settings(self) -> Path:
        """The configuration file that confines apt to the folder."""
        return self.folder / "apt.conf"


@contextmanager
def private_state(folder: Path | None) -> Iterator[State]:
    """A working folder for apt: ``folder``, or a temporary one that is removed at the end."""
    if shutil.which("apt-get") is None:
        raise NoApt
    if folder is not None:
        yield _prepare(folder.absolute())
        return
    with TemporaryDirectory(prefix="dragoman-apt-") as name:
        Path(name).chmod(
            0o755
        )  # run by root, apt downloads as an unprivileged user; lists are public
        yield _prepare(Path(name))


def _prepare(folder: Path) -> State:
    if '"' in str(folder) or "\n" in str(folder):
        raise ConfigError(f"Found a quote or line break in {folder}; expected a plain path.")
    state = State(folder)
    for part in (state.lists, state.archives):
        (part / "partial").mkdir(parents=True, exist_ok=True)
    (folder / "status").touch()
    return state


def _configure(state: State, languages: Sequence[str]) -> None:
    """Write the settings; they are read last and override the machine's.

    Hooks are cleared because they clean the system's cache or call daemons; the status file is
    empty so that installed versions do not affect which version is downloaded.
    """
    folder = state.folder
    wanted = " ".join(f'"{code}";' for code in languages) or '"none";'
    state.settings.write_text(
        f'Dir::State "{folder}";\n'
        f'Dir::State::lists "{state.lists}";\n'
        f'Dir::State::status "{folder / "status"}";\n'
        f'Dir::Cache "{folder}";\n'
        f'Dir::Cache::archives "{state.archives}";\n'
        f'Dir::Log "{folder}";\n'
        'Acquire::GzipIndexes "false";\n'
        'Acquire::Retries "3";\n'
        'APT::Update::Error-Mode "any";\n'
        "#clear APT::Update::Pre-Invoke;\n"
        "#clear APT::Update::Post-Invoke;\n"
        "#clear APT::Update::Post-Invoke-Success;\n"
        "#clear Acquire::Languages;\n"
        f"Acquire::Languages {{ {wanted} }};\n",
        encoding="utf-8",
    )


def update(state: State, languages: Sequence[str] = ()) -> None:
    """Download the package lists, and the descriptions in ``languages`` (apt's codes)."""
    for code in languages:
        if not SAFE.fullmatch(code):
            raise ConfigError(f"Found the language code {code!r}; expected letters, as in pt_BR.")
    _configure(state, languages)
    _run(["apt-get", "-q", "-c", str(state.settings), "update"], state.folder)


def download(state: State, packages: Sequence[str]) -> None:
    """Download packages into the state's archives; ``update`` must have run before."""
    for package in packages:
        if not SAFE.fullmatch(package):
            raise ConfigError(f"Found the package name {package!r}; expected letters and digits.")
    command = ["apt-get", "-q", "-c", str(state.settings), "download", *packages]
    _run(command, state.archives)


def known_packages(state: State, prefix: str) -> list[str]:
    """The names of listed packages that start with ``prefix``, sorted."""
    command = ["apt-cache", "-c", str(state.settings), "pkgnames", "--", prefix]
    names = _run(command, state.folder).split()
    return sorted(name for name in names if name.startswith(prefix))


def _run(command: list[str], folder: Path) -> str:
    try:
        done = subprocess.run(  # noqa: S603 - a list of checked arguments, no shell
            command,
            cwd=folder,
            env={**os.environ, "LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise AptFault(
            f"{command[0]} did not finish in {SECONDS // 60} minutes; expected a working network."
            " Try again, or name files already on disk with --lists or --debs."
        ) from error
    if done.returncode:
        errors = [line for line in done.stderr.splitlines() if line.startswith("E:")]
        reason = " ".join(errors[:2]) or "no reason"
        raise AptFault(
            f"{command[0]} ended with code {done.returncode}: {reason}."
            " Check the network, the free space and the machine's apt sources"
            " (does apt-get update work?), or name files already on disk with --lists or --debs."
        )
    return done.stdout


@contextmanager
def open_lz4(path: Path) -> Iterator[IO[bytes]]:
    """The decompressed bytes of an ``.lz4`` list, by apt's own helper."""
    if not HELPER.exists():
        raise UserError(
            f"{path}: found an .lz4 list and no {HELPER} to read it; expected apt on this machine."
            " Decompress the lists first, for example with lz4 -d."
        )
    with subprocess.Popen(  # noqa: S603 - fixed program, one path
        [str(HELPER), "cat-file", str(path)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        yield process.stdout
        process.stdout.read()
    if process.returncode:
        raise AptFault(f"{path}: apt-helper could not read it; expected a whole .lz4 list.")
