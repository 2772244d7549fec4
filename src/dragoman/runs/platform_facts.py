"""The machine and the software of a run, by the names of ir_metadata's component *platform*."""

import os
import platform
import re
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

import dragoman

_DEVELOPMENT = re.compile(r"""extra == ["'](?:dev|docs|benchmarks)["']""")


def platform_facts() -> dict[str, Any]:
    """Processor, memory, operating system and the versions of the libraries in use."""
    return {
        "hardware": {
            "cpu": {
                "model": _processor(),
                "architecture": platform.machine(),
                "operation mode": platform.architecture()[0].replace("bit", "-bit"),
                "number of cores": os.cpu_count() or 0,
            },
            "ram": _memory(),
        },
        "operating system": {
            "kernel": f"{platform.system()} {platform.release()}",
            "distribution": _distribution(),
        },
        "software": {
            "libraries": {"python": [f"python=={platform.python_version()}", *_libraries()]},
            "retrieval toolkit": [f"dragoman=={dragoman.__version__}"],
        },
    }


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


def _memory() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return "unknown"
    return f"{size / 2**30:.0f} GB"


def _distribution() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.platform(terse=True)


def _libraries() -> list[str]:
    """The package's own dependencies as they are installed, those of extras for users included."""
    requirements = (one for one in requires("dragoman") or () if not _DEVELOPMENT.search(one))
    names = {re.split(r"[^\w.-]", one, maxsplit=1)[0].lower() for one in requirements}
    installed = []
    for name in sorted(names):
        with suppress(PackageNotFoundError):
            installed.append(f"{name}=={version(name)}")
    return installed
