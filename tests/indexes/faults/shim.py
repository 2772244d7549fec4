"""The shim that records or fails calls to the file system (``shim.c``), compiled and preloaded."""

import atexit
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

HERE = Path(__file__).parent
FAIL_WRITES, FAIL_SYNCS, FAIL_NAMES = 1, 2, 4  # as in shim.c


@cache
def library() -> Path:
    """The compiled shim; a test that needs it is skipped where there is no compiler."""
    compiler = shutil.which("cc")
    if compiler is None or sys.platform != "linux":
        pytest.skip("the shim needs Linux and a C compiler named cc")
    folder = TemporaryDirectory(prefix="dragoman-shim-")
    atexit.register(folder.cleanup)
    built = Path(folder.name) / "shim.so"
    flags = ["-Wall", "-Werror", "-O1", "-shared", "-fPIC"]
    subprocess.run(
        [compiler, *flags, "-o", built, HERE / "shim.c", "-ldl", "-lpthread"], check=True
    )
    return built


def preloaded(
    code: str, folder: Path, *arguments: object, log: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """What ``python -c code arguments`` printed; its calls under ``folder`` go by the shim."""
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.run(
        command, env=environment(folder, log), capture_output=True, text=True, check=False
    )


def environment(folder: Path, log: Path | None = None) -> dict[str, str]:
    """The environment of a process that the shim is loaded into."""
    paths = [str(HERE), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "LD_PRELOAD": str(library()),
        "SHIM_FOLDER": str(folder.resolve()),
        **({"SHIM_LOG": str(log)} if log else {}),
    }
