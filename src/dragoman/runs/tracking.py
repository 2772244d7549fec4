"""Time, processor, memory and energy of a run.

The package ``tirex_tracker`` measures all of them where it is installed (extra ``tracking``);
without it the times are measured. Names are those of its ir_metadata files.
"""

import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

PACKAGE = "tirex_tracker"
_MEASURED = ("OS_", "TIME_", "CPU_", "RAM_", "GPU_")  # neither the repository nor the files


@contextmanager
def tracked() -> Iterator[dict[str, Any]]:
    """A dictionary that holds ``resources``, and ``platform`` where known, after the block."""
    facts: dict[str, Any] = {}
    started, clock = datetime.now(UTC), time.perf_counter()
    before = time.process_time()
    if find_spec(PACKAGE) is None:
        yield facts
    else:
        with _tracked_by_package(facts):
            yield facts
    runtime = {
        "start time": started.isoformat(),
        "stop time": datetime.now(UTC).isoformat(),
        "wallclock": f"{(time.perf_counter() - clock) * 1000:.0f} ms",
        "processor": f"{(time.process_time() - before) * 1000:.0f} ms",
    }
    facts.setdefault("resources", {}).setdefault("runtime", {}).update(runtime)


@contextmanager
def _tracked_by_package(facts: dict[str, Any]) -> Iterator[None]:
    package = import_module(PACKAGE)
    measures = [one for one in package.Measure if one.name.startswith(_MEASURED)]
    with tempfile.TemporaryDirectory(prefix="dragoman-") as folder:
        path = Path(folder) / "tracked.yml"
        with package.tracking(
            measures=measures,
            export_file_path=path,
            export_format=package.ExportFormat.IR_METADATA,
        ):
            yield
        exported = yaml.safe_load(path.read_text(encoding="utf-8"))
    facts["resources"] = _without_series(exported.get("resources") or {})
    facts["platform"] = {"hardware": _without_series(exported["platform"].get("hardware") or {})}
    facts["tracker"] = f"tirex-tracker=={package.provider_version or ''}".rstrip("=")


def _without_series(value: Any) -> Any:  # noqa: ANN401 - a tree
    """The values without their time series and without what the machine does not tell.

    Virtual machines tell a frequency of 0.
    """
    if not isinstance(value, dict):
        return value
    pruned = {name: _without_series(one) for name, one in value.items() if name != "timeseries"}
    return {name: one for name, one in pruned.items() if _is_known(name, one)}


def _is_known(name: str, value: Any) -> bool:  # noqa: ANN401 - a leaf or a branch of that tree
    if value in (None, {}, "") or str(value).startswith("null"):
        return False
    if not name.startswith("frequency"):
        return True
    leaves = value.values() if isinstance(value, dict) else (value,)
    return any(str(one).split()[0] != "0" for one in leaves)
