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
from dragoman.encoders.models import UNIVERSAL
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
    return [_version(), *_core(), _tables(), _encoder(), _codes(), *_extras(), _apt()]


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


def _encoder() -> Check:
    fix = "" if UNIVERSAL.installed else "dragoman models get default (72 MB; ranks by meaning too)"
    detail = (
        "default" if UNIVERSAL.installed else "not fetched: documents are ranked by words alone"
    )
    return Check("sentence encoder", detail, UNIVERSAL.installed, needed=False, fix=fix)


def _codes() -> Check:
    ready = find_spec("faiss") is not None
    detail = "faiss" if ready else "without faiss: all rows of large indexes are compared"
    fix = "" if ready else "pip install faiss-cpu"
    return Check("vector codes", detail, ready, needed=False, fix=fix)


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
