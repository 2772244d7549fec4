"""An index copied to three nodes and back: what does it take, and are the rankings the same?

    python benchmarks/cluster_copy.py INDEX WORK [--queries 206]

The nodes run here, WORK is an empty folder with room for three copies. ``dragoman copy`` runs
there and back, then titles of documents are searched in the copy that came back and in INDEX.
Rankings are equal where every score is. ``verify`` of the cluster comes last.
"""

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

from cluster_search import DEPTH, title_queries

import dragoman

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))
from qdrant_nodes import running_cluster, three_nodes  # type: ignore[import-not-found]


def timed(*arguments: object) -> None:
    """Run a command and print its time by the clock, and of the processor."""
    before, began = os.times(), time.perf_counter()
    command = [sys.executable, "-m", "dragoman", *map(str, arguments)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    seconds, after = time.perf_counter() - began, os.times()
    spent = after.children_user + after.children_system
    spent -= before.children_user + before.children_system
    print(f"{arguments[0]:8}{seconds:8.1f} s, {spent:.1f} s of the client's processor", flush=True)
    if done.returncode:
        sys.exit(done.stderr)


def main() -> None:
    """Copy there and back, compare, verify."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("index", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--queries", type=int, default=206)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    back = options.work / "back"
    with running_cluster(three_nodes(options.work / "nodes")) as cluster:
        address = cluster.address("copied")
        timed("copy", options.index, address)
        timed("copy", address, back)
        with dragoman.open(options.index) as first, dragoman.open(back) as second:
            queries = title_queries(first, options.queries)
            same = sum(
                first.rank(query, DEPTH).hits == second.rank(query, DEPTH).hits for query in queries
            )
            print(f"{first.count():,} documents, {second.count():,} came back")
            print(f"rankings of {len(queries)} titles: {same} equal, score by score")
        timed("verify", address)


if __name__ == "__main__":
    main()
