"""An open shard with a mirror: arrays answer what they can, the engine the rest, both alike."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from shutil import disk_usage
from threading import RLock
from typing import NamedTuple

import qdrant_edge as qe

from dragoman.indexes import mirror_files
from dragoman.indexes.arrays import Arrays, Damaged
from dragoman.indexes.conditions import engine_filter
from dragoman.indexes.filters import Filter
from dragoman.indexes.gathering import Gathering
from dragoman.indexes.ids import KnownIds
from dragoman.indexes.mirror import Mirror
from dragoman.indexes.reading import ShardReader
from dragoman.indexes.reflection import Points, Reflection, Step
from dragoman.indexes.spaces import Record, Sparse, Vector
from dragoman.types import Hit

DISK_RESERVE = 128 * 2**20  # bytes: the engine's next log segment and its growing files


class Changes(NamedTuple):
    """Documents that have come, or come again, and the ids of those that have gone."""

    records: Sequence[Record]
    removed: Collection[str]

    @property
    def doc_ids(self) -> list[str]:
        """Of all of them."""
        return [*(record.document.doc_id for record in self.records), *self.removed]


class MirroredShard(ShardReader):
    """A shard and the mirror beside it, in the folder of a store.

    Where there is no mirror, or no new one could be made, ``mirror_fault`` says why; answers are
    the same, and slower.
    """

    def __init__(self, folder: Path, shard: qe.EdgeShard, ids: KnownIds) -> None:
        super().__init__(shard, ids)
        self.folder = folder
        self._writing = RLock()  # taken before ``_engine``
        self._mirror: Mirror | None = None
        self._base: Path | None = None  # the folder of the mirror's arrays
        self._meanwhile: list[Changes] | None = None  # while a mirror is being made
        self.mirror_fault = ""
        try:
            self._base, self._mirror = mirror_files.load(folder)
        except Damaged as error:
            self.distrust(error)
        mirror_files.remove_others(folder)

    def distrust(self, why: object) -> None:
        """Leave the mirror; the engine answers from here on."""
        mirror_files.disown(self.folder)
        self._mirror, self.mirror_fault = None, str(why)

    def mirror_notice(self, spaces: Collection[str]) -> str | None:
        """What to know where a large store has no mirror of these spaces."""
        if not spaces or self._is_small() or self._mirror is not None:
            return None
        return (
            "searches take longer than they could: there are no arrays beside the store"
            f" ({self.mirror_fault}). They are made by: dragoman optimize INDEX"
        )

    def is_mirrored(self, spaces: Collection[str]) -> bool:
        """Whether the arrays of these spaces are here and nothing has changed since."""
        mirror = self._mirror
        return (
            mirror is not None and not mirror.is_changed and {*spaces} <= mirror.base.spaces.keys()
        )

    def nearest(
        self,
        space: str,
        query: Vector,
        k: int,
        allowed: Filter | None = None,
        *,
        roughly: bool = False,
    ) -> list[Hit]:
        """As the engine answers."""
        mirror = self._mirror
        if mirror is not None and not roughly and mirror.answers([space], allowed):
            languages = allowed.languages if allowed else ()
            try:
                if isinstance(query, Sparse):
                    listed = mirror.best(mirror.products(space, query), k, languages)
                else:
                    listed = Reflection(mirror, self).nearest(space, query, k, languages)
                return mirror.hits(listed)
            except Damaged as error:
                self.distrust(error)
        return super().nearest(space, query, k, allowed, roughly=roughly)

    def scores(self, space: str, query: Vector, doc_ids: Collection[str]) -> dict[str, float]:
        """As the engine answers."""
        mirror = self._mirror
        if mirror is not None and mirror.answers([space]):
            try:
                return mirror.scores(space, query, doc_ids)
            except Damaged as error:
                self.distrust(error)
        return super().scores(space, query, doc_ids)

    def reflection(self, spaces: Collection[str], allowed: Filter) -> Reflection | None:
        """The mirror of this moment, if it can answer for these spaces under such a filter."""
        mirror = self._mirror
        if mirror is None or not mirror.answers(spaces, allowed):
            return None
        return Reflection(mirror, self)

    def walked(self, steps: Sequence[Step]) -> list[Points]:
        """The points that each walk finds, best first; several walks are one call."""
        requests = [
            self._request(
                step.space,
                step.vector,
                step.limit,
                engine_filter(step.allowed),
                self._width(step.width),
            )
            for step in steps
        ]
        with self._engine:
            if len(requests) == 1:
                found = [self._shard.query(requests[0])]
            else:
                found = self._shard.query_batch(qe.QueryBatchRequest(requests))
        return [([each.id for each in mine], [each.score for each in mine]) for mine in found]

    @contextmanager
    def _reflecting(self, changes: Changes) -> Iterator[None]:
        """Let the mirror change with the store; after a change that failed there is none."""
        mirror_files.disown(self.folder)
        try:
            yield
        except BaseException:
            self.distrust("a change of the store has failed")
            raise
        if self._meanwhile is not None:
            self._meanwhile.append(changes)
        if self._mirror is not None:
            self._use_mirror(self._mirror, [changes])

    def _use_mirror(self, mirror: Mirror, all_changes: Iterable[Changes]) -> None:
        """Take a mirror that lacks these changes."""
        changed: Mirror | None = mirror
        for changes in all_changes:
            if changed is not None:
                changed = changed.changed(changes.records, changes.removed)
        if changed is None:
            self.distrust("too much has changed since it was made")
        else:
            self._mirror, self.mirror_fault = changed, ""

    def _make_mirror(self, spaces: Collection[str]) -> None:
        """Arrays of all documents, while changes go on; they are told to the mirror at the end."""
        with self._writing:
            self._meanwhile = []
        try:
            gathering = Gathering(spaces, self.folder)
            gathering.add(self.records(spaces))
            self.take_mirror(gathering)
        finally:
            self._meanwhile = None

    def take_mirror(self, gathering: Gathering) -> None:
        """Let arrays of all documents be the mirror; where they cannot be written all stays."""
        if not gathering.size:
            return
        free, needed = disk_usage(self.folder).free, 2 * gathering.size + DISK_RESERVE
        if free < needed:
            self.mirror_fault = f"{free >> 20:,} MB of disk space are less than {needed >> 20:,} MB"
            return
        try:
            folder = mirror_files.make(self.folder, gathering)
            arrays = Arrays.load(folder)
        except (OSError, Damaged) as error:
            self.mirror_fault = str(error)
            return
        with self._writing:
            self._base = folder
            self._use_mirror(Mirror.of(arrays), self._meanwhile or ())
            self._save_mirror()

    def _save_mirror(self) -> None:
        """Put what has changed beside the arrays, so that they are true to the store on disk."""
        mirror, base = self._mirror, self._base
        if mirror is not None and base is not None and not mirror_files.names(self.folder, base):
            mirror_files.save(self.folder, base, mirror)
