"""The embedded store: Qdrant's engine in the process (``qdrant-edge-py``), behind small verbs.

Every ``add`` and ``delete`` is in the engine's write-ahead log when it returns, and a document is
changed with all its passages or not at all (``writing``). What can be asked is in ``reading``.

    STORE/shard-*/   documents and vectors, the engine's own files (``points``)
    STORE/current    which of them is the store; the others are left-overs of a killed process
    STORE/ids/       the documents of points, to be had without reading them (``ids``)
    STORE/mirror*    vectors that are asked for often, as plain arrays (``mirror_files``)
    STORE/lock       held by the process that has the store open
"""

import shutil
import threading
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import Popen
from typing import Self
from uuid import uuid4

import qdrant_edge as qe

from dragoman.errors import IndexFault
from dragoman.indexes import optimizing
from dragoman.indexes.gathering import Gathering
from dragoman.indexes.ids import KnownIds
from dragoman.indexes.lock import Lock
from dragoman.indexes.mirrored import DISK_RESERVE, Changes, MirroredShard
from dragoman.indexes.points import GRAPH_ABOVE, engine_config, payload_indexes, to_points
from dragoman.indexes.shards import SHARD, current, loaded, point_to, remove_others
from dragoman.indexes.spaces import Record, Space
from dragoman.indexes.writing import Size, remove, remove_emptied, replace

IDS = "ids"
PATIENCE = 5.0  # seconds to wait for another process to let go


class EdgeStore(MirroredShard):
    """Documents and vectors in a folder that this process owns until ``close``."""

    def __init__(self, folder: Path, lock: Lock, shard: qe.EdgeShard) -> None:
        super().__init__(folder, shard, KnownIds.load(folder / IDS))
        self._lock = lock
        self._optimizing = threading.Lock()
        self._optimizer: Popen[str] | None = None
        self._changed: set[str] | None = None  # ids, while an optimised copy is being made

    @classmethod
    def create(cls, folder: Path, spaces: Collection[Space]) -> Self:
        """An empty store; ``folder`` must hold none."""
        folder.mkdir(parents=True, exist_ok=True)
        lock = Lock(folder, PATIENCE)
        shard = qe.EdgeShard.create(str(folder / SHARD), engine_config(spaces))
        for operation in payload_indexes():
            shard.update(operation)
        return cls(folder, lock, shard)

    @classmethod
    def open(cls, folder: Path) -> Self:
        """The store in ``folder``; a damaged one is refused with the remedy."""
        if not current(folder).is_dir():
            raise IndexFault(f"{folder}: found no store; expected the folder {current(folder)}.")
        lock = Lock(folder, PATIENCE)
        try:
            remove_others(folder)
            return cls(folder, lock, loaded(current(folder)))
        except BaseException:
            lock.release()
            raise

    def close(self) -> None:
        """Write everything out and let other processes in; an optimisation is given up."""
        if self._optimizer is not None:
            self._optimizer.kill()
        with self._optimizing, self._writing, self._engine:
            self._shard.close()
            self._ids.save(self.folder / IDS)
            self._save_mirror()
        self._lock.release()

    def add(self, records: Sequence[Record]) -> None:
        """Add or replace documents; on return they are logged on disk."""
        documents = {record.document.doc_id: to_points(record) for record in records}
        self._refuse_full_disk()
        self._change(lambda shard: replace(shard, documents), Changes(records, ()))
        with self._engine:
            self._ids.remember({doc_id: len(points) for doc_id, points in documents.items()})

    def delete(self, doc_ids: Collection[str]) -> None:
        """Remove documents; ids that are not there are ignored."""
        self._refuse_full_disk()
        self._change(lambda shard: remove(shard, doc_ids), Changes((), doc_ids))

    def _change(self, change: Callable[[qe.EdgeShard], Size], changes: Changes) -> None:
        with self._writing, self._engine, self._reflecting(changes):
            # Ids of before must not be taken for those of now if this process is killed.
            shutil.rmtree(self.folder / IDS, ignore_errors=True)
            if self._changed is not None:
                self._changed.update(changes.doc_ids)
            self._known_languages = None
            before, self._known_size = self._size(), None  # unknown if the change fails midway
            self._known_size = before + change(self._shard)

    def _refuse_full_disk(self, needed: int = 0) -> None:
        """The engine writes through mapped memory, where a full disk kills the process."""
        free, wanted = shutil.disk_usage(self.folder).free, DISK_RESERVE + needed
        if free < wanted:
            raise IndexFault(
                f"{self.folder}: found {free // 2**20:,} MB of free disk space; expected at least"
                f" {wanted // 2**20:,} MB before a change. Free some space and go on: what"
                " was added before is there."
            )

    def optimize(self, mirrored: Collection[str] = ()) -> None:
        """Merge segments and build the HNSW graph where there are enough vectors for one.

        Where spaces to be ``mirrored`` are named, their arrays are made again if they have changed.
        Searches and changes go on meanwhile: another process optimises a copy, which gets the
        changes that came since and then takes the place of the store. Searches wait while the copy
        is opened, changes also while it is made.
        """
        self._refuse_full_disk()
        with self._optimizing:
            self._optimize()
            if mirrored and not self.is_mirrored(mirrored):
                self._make_mirror(mirrored)

    def _optimize(self) -> None:
        with self._writing, self._engine:
            remove_emptied(self._shard)
            self._known_size = None
            if self._is_small():  # nothing but small segments to merge
                self._shard.optimize()
                self._shard.flush()
                return
        copy = self._copied()
        try:
            self._optimizer = optimizing.begin(copy, graph=True)
            optimizing.finish(copy, self._optimizer)
            self._take(copy)
        finally:
            self._optimizer = self._changed = None
            remove_others(self.folder)

    def close_optimized(self, gathering: Gathering) -> None:
        """Optimise in place, mirror what was gathered, close: for a store not searched yet.

        Unlike ``optimize``, it leaves out the graph where lasting processes need none.
        """
        if self._is_small():
            with ThreadPoolExecutor(1) as beside:
                optimized = beside.submit(self.optimize)
                self.take_mirror(gathering)
                optimized.result()
            self.close()
            return
        shard, graph = current(self.folder), self._size().points > GRAPH_ABOVE
        self._shard.close()
        self._ids.save(self.folder / IDS)
        try:
            with optimizing.begin(shard, graph=graph, patience=0) as process:
                self.take_mirror(gathering)
                optimizing.finish(shard, process)
        finally:
            self._lock.release()

    def _copied(self) -> Path:
        """A copy of the shard as it is now; changes are noted from here on."""
        now = current(self.folder)
        size = sum(path.stat().st_size for path in now.rglob("*") if path.is_file())
        self._refuse_full_disk(2 * size)
        copy = self.folder / f"{SHARD}-{uuid4().hex[:8]}"
        with self._writing:
            with self._engine:
                self._shard.flush()
            self._changed = set()
            shutil.copytree(now, copy)
        return copy

    def _take(self, copy: Path) -> None:
        """Let an optimised copy be the store, after it has got what changed in the meantime."""
        with self._writing:
            changed = sorted(self._changed or ())
            records = self.find(changed)
            there = {record.document.doc_id: to_points(record) for record in records}
            with self._engine:
                shard = loaded(copy)
                replace(shard, there)
                remove(shard, [doc_id for doc_id in changed if doc_id not in there])
                shard.flush()
                point_to(copy)
                self._shard.close()
                self._shard = shard
