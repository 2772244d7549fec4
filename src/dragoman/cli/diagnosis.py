"""The installation -> checks: what is ready, what is missing and how to get it."""

import os
import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec

import dragoman
from dragoman.lexicons import shipped_lexicons
from dragoman.registry import EXTRAS

CORE = ("numpy", "scipy", "numba", "PyStemmer", "py3langid", "ir-measures", "rapidfuzz")


@dataclass(frozen=True, slots=True)
class Check:
    """One part of the installation: its details, whether it can be used, how to get it if not."""

    part: str
    detail: str
    ready: bool
    needed: bool
    fix: str = ""


def diagnose() -> list[Check]:
    """Every part of the installation, needed ones first."""
    return [_version(), *_core(), _tables(), *_extras(), _apt()]


def _version() -> Check:
    detail = (
        f"{dragoman.__version__}, Python {platform.python_version()},"
        f" {os.cpu_count()} cores, {sys.platform}"
    )
    return Check("dragoman", detail, ready=True, needed=True)


def _core() -> Iterator[Check]:
    for package in CORE:
        try:
            yield Check(package, metadata.version(package), ready=True, needed=True)
        except metadata.PackageNotFoundError:
            fix = "pip install --force-reinstall dragoman"
            yield Check(package, "not installed", ready=False, needed=True, fix=fix)


def _tables() -> Check:
    languages = shipped_lexicons.shipped_languages()
    detail = f"English with {' '.join(languages)}" if languages else "none"
    return Check("translation tables", detail, ready=bool(languages), needed=True)


def _extras() -> Iterator[Check]:
    for extra in sorted(set(EXTRAS.values())):
        modules = [module for module, owner in EXTRAS.items() if owner == extra]
        missing = [module for module in modules if find_spec(module) is None]
        detail = f"without {', '.join(missing)}" if missing else ", ".join(modules)
        fix = f"pip install 'dragoman[{extra}]'" if missing else ""
        yield Check(f"extra {extra}", detail, ready=not missing, needed=False, fix=fix)


def _apt() -> Check:
    tools = [tool for tool in ("apt-get", "dpkg-deb") if shutil.which(tool)]
    ready = len(tools) == 2
    fix = "" if ready else "the Debian collections are built on a Debian or Ubuntu machine"
    return Check("apt (collections)", " ".join(tools) or "none", ready, needed=False, fix=fix)
