"""Which folder of a store holds its shard, and how another takes its place."""

import json
import os
import shutil
from pathlib import Path
from typing import Any

import qdrant_edge as qe

from dragoman.errors import IndexFault
from dragoman.indexes.points import LINKS, SEARCH_THREADS, engine_config, graph_config
from dragoman.indexes.spaces import Space, SpaceKind

CURRENT, SHARD = "current", "shard"
SETTINGS = "edge_config.json"  # the engine's own
READ_AHEAD = 4 << 20  # bytes at a time


def current(folder: Path) -> Path:
    """The shard's folder."""
    pointer = folder / CURRENT
    name = pointer.read_text(encoding="utf-8").strip() if pointer.is_file() else SHARD
    return folder / Path(name).name  # never outside the store


def point_to(shard: Path) -> None:
    """Make ``shard`` the store, whole and on disk or not at all."""
    staged = shard.with_name(f".{CURRENT}")
    with staged.open("w", encoding="utf-8") as stream:
        stream.write(shard.name)
        stream.flush()
        os.fsync(stream.fileno())
    staged.replace(shard.with_name(CURRENT))


def remove_others(folder: Path) -> None:
    """Remove what a killed process has left."""
    now = current(folder)
    for path in folder.glob(f"{SHARD}*"):
        if path != now:
            shutil.rmtree(path, ignore_errors=True)


def loaded(shard: Path) -> qe.EdgeShard:
    """The shard, open; a damaged one is refused with the remedy."""
    _read_ahead(shard)
    try:
        return qe.EdgeShard.load(str(shard), _with_one_thread(shard))
    except BaseException as error:  # the engine panics on some damage, past Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        raise IndexFault(
            f"{shard}: damaged ({error}). Restore it from a copy, or build the index"
            " again from its documents."
        ) from error


def _with_one_thread(shard: Path) -> qe.EdgeConfig | None:
    """The settings of a shard that was made without saying how many threads search it."""
    known = _settings(shard)
    if "max_search_threads" in known:
        return None
    return _changed(known, max_search_threads=SEARCH_THREADS)


def with_graph(shard: Path) -> qe.EdgeConfig:
    """The settings with which the engine builds a graph when it optimises the shard next."""
    return _changed(_settings(shard), hnsw_config=graph_config(links=LINKS))


def _settings(shard: Path) -> dict[str, Any]:
    known: dict[str, Any] = json.loads((shard / SETTINGS).read_text(encoding="utf-8"))
    return known


def _changed(known: dict[str, Any], **settings: Any) -> qe.EdgeConfig:  # noqa: ANN401 - the engine's
    """What the engine changes when it loads the shard; the rest stays as it was.

    It takes settings only together with the vectors, as they were when the shard was made.
    """
    sizes = {name: each["size"] for name, each in (known.get("vectors") or {}).items()}
    dense = [Space(name, SpaceKind.DENSE, size) for name, size in sizes.items()]
    sparse = [Space(name, SpaceKind.SPARSE) for name in known.get("sparse_vectors") or {}]
    made = engine_config([*dense, *sparse])
    return qe.EdgeConfig(
        vectors=made.vectors or None, sparse_vectors=made.sparse_vectors or None, **settings
    )


def _read_ahead(shard: Path) -> None:
    """Bring into the system's cache what the engine is about to touch page by page.

    It asks for random access before it reads these vectors, and drops them from the cache when it
    closes: opening 60,000 documents from disk took 14 s, and takes half a second when they are
    read in one go.
    """
    for path in shard.glob("segments/*/*/quantized.data"):
        with path.open("rb", buffering=0) as stream:
            while stream.read(READ_AHEAD):
                pass
