"""Commands in processes of their own: without the rights of root, or interrupted by Ctrl-C."""

import ctypes
import os
import subprocess
import sys
from pathlib import Path

import dragoman

DROP_CAPABILITY = 24  # of linux/prctl.h
# of linux/capability.h: to override permissions, to read everything, to own everything
RIGHTS_OF_ROOT = (1, 2, 3)
SOURCES = str(Path(dragoman.__file__).parent.parent)
INTERRUPTING = """
import os, signal, sys
from importlib import import_module

module, _, name = sys.argv.pop(1).partition(":")
owner = import_module(module)
for part in name.split(".")[:-1]:
    owner = getattr(owner, part)
called = getattr(owner, name.split(".")[-1])

def interrupt(*arguments, **options):
    setattr(owner, name.split(".")[-1], called)
    os.kill(os.getpid(), signal.SIGINT)
    return called(*arguments, **options)

setattr(owner, name.split(".")[-1], interrupt)
from dragoman.__main__ import main
main()
"""


def without_rights_of_root() -> None:
    """Make permissions count for root too; files stay its own, so that modules can be imported."""
    if os.getuid() == 0:
        control = ctypes.CDLL(None).prctl
        for right in RIGHTS_OF_ROOT:
            assert control(DROP_CAPABILITY, right, 0, 0, 0) == 0


def arguments_of(arguments: tuple[object, ...]) -> list[str]:
    return [sys.executable, "-m", "dragoman", *map(str, arguments)]


def environment(folder: Path) -> dict[str, str]:
    """An environment with a temporary folder and a cache of its own."""
    (folder / "tmp").mkdir(exist_ok=True)
    own = {"TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": str(folder / "cache")}
    return os.environ | own | {"PYTHONPATH": SOURCES, "PYTHONUNBUFFERED": "1"}


def unprivileged(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A command in ``folder`` that ended, run without the rights of root."""
    return subprocess.run(
        arguments_of(arguments),
        cwd=folder,
        env=environment(folder),
        preexec_fn=without_rights_of_root,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def interrupted(folder: Path, moment: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    """A command in ``folder`` that got SIGINT when it first called ``moment``, "module:name"."""
    return subprocess.run(
        [sys.executable, "-c", INTERRUPTING, moment, *map(str, arguments)],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
