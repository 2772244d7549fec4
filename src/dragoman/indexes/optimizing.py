"""The engine's optimisation in a process of its own.

The engine keeps Python's global lock while it merges segments and builds the HNSW graph, minutes
for a large index: in this process, no thread could answer a question meanwhile.
"""

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

from dragoman.errors import IndexFault

PATIENT = 5  # how far the process stands back behind those that answer questions (nice)
DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of <linux/prctl.h>


def begin(shard: Path, *, graph: bool, patience: int = PATIENT) -> subprocess.Popen[str]:
    """A process that merges the segments of ``shard``, which nobody has open.

    It builds the graph if told to, or if the shard had one before.
    """
    told = [str(shard), str(os.getpid()), str(patience), *(["graph"] if graph else [])]
    command = [sys.executable, "-m", __name__, *told]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)  # noqa: S603


def finish(shard: Path, process: subprocess.Popen[str]) -> None:
    """Wait for the process that ``begin`` started."""
    _, said = process.communicate()
    if process.returncode != 0:
        last = said.strip().splitlines()[-1:] or [f"exit code {process.returncode}"]
        raise IndexFault(
            f"{shard}: could not be optimised ({last[0]}). The index is as it was; see that there"
            " is memory and disk space for twice its size, and optimise again."
        )


def main(shard: Path, parent: int, patience: int, *, graph: bool) -> None:
    """What the process does; it ends with its parent."""
    import qdrant_edge  # noqa: PLC0415 - the parent has no need of them here

    from dragoman.indexes.shards import with_graph  # noqa: PLC0415

    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:
            return
    os.nice(patience)
    opened = qdrant_edge.EdgeShard.load(str(shard), with_graph(shard) if graph else None)
    opened.optimize()
    opened.flush()
    opened.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), graph="graph" in sys.argv[4:])
