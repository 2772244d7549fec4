"""Documents -> an index in a new folder, which takes its place when it is whole; or more in one.

The build happens in a hidden folder beside the target. If it is killed, the old index stays as it
was, and the same command goes on where it stopped: what is in the store is not encoded again.
"""

import json
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

from dragoman import registry
from dragoman.errors import UserError
from dragoman.indexes.edge import EdgeStore
from dragoman.indexes.engine import COUNTS, STORE, Index
from dragoman.indexes.gathering import Gathering
from dragoman.indexes.lock import Lock
from dragoman.indexes.manifest import FORMAT, Manifest, refuse_foreign_folder
from dragoman.indexes.pipeline import Pipeline
from dragoman.indexes.resident import Resident, Surveying, mirrored
from dragoman.indexes.spool import Spool
from dragoman.protocols import Advance, silent
from dragoman.text.files import staged_folder
from dragoman.types import Document

PLAN = "plan.json"
PROMPT = 0.0005  # seconds after which Python's lock goes to a thread that waits for it


class Stages(Protocol):
    """Who is told of a build's progress."""

    def stage(self, name: str, total: int | None) -> Advance:
        """The callback for the stage that begins now."""
        ...


class Silent:
    """Stages that nobody watches."""

    def stage(self, name: str, total: int | None) -> Advance:
        """The callback for the stage that begins now."""
        del name, total
        return silent


def build(
    documents: Iterable[Document],
    folder: Path,
    *,
    system: str,
    version: str,
    settings: Mapping[str, object] | None = None,
    stages: Stages | None = None,
) -> Index:
    """The index of ``documents`` in ``folder``, which is replaced when all is written."""
    told = stages or Silent()
    room = registry.resident(system)
    config = room.configure(settings or {})
    refuse_foreign_folder(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    staging = folder.with_name(f".{folder.name}.building")
    staging.mkdir(exist_ok=True)
    lock = Lock(staging, patience=0)
    try:
        spool = _spool(documents, staging, told)
        built: Resident = room.prepare(config)
        _plan(spool, staging, system, built)
        with _prompt_switches():
            languages = _encode(spool, staging, built, told)
        with staged_folder(staging / COUNTS) as counts:
            built.save(counts)
        notices = tuple(built.notices(languages))
        Manifest(version, system, built.settings, notices).write(staging)
        spool.path.unlink()
        (staging / PLAN).unlink()
        _take_place(staging, folder)
    finally:
        lock.release()
    return Index(folder)


def extend(documents: Iterable[Document], folder: Path, *, stages: Stages | None = None) -> Index:
    """The index in ``folder`` with these documents, which replace those with the same ids.

    All of them are read before the first one is added: a bad line leaves the index as it was.
    """
    told, index = stages or Silent(), Index(folder)
    with TemporaryDirectory(prefix="dragoman-") as aside:
        spool = Spool.write(documents, Path(aside), told.stage("reading", None))
        try:
            index.add(spool, told.stage("adding", spool.count))
        except BaseException:
            index.close()
            raise
    return index


def _spool(documents: Iterable[Document], staging: Path, told: Stages) -> Spool:
    try:
        return Spool.write(documents, staging, told.stage("reading", None))
    except UserError:
        shutil.rmtree(staging)  # nothing in it is worth going on with
        raise


def _plan(spool: Spool, staging: Path, system: str, built: Resident) -> None:
    """Make the store ready; one of other documents or settings is thrown away."""
    plan = {
        "format": FORMAT,
        "documents": spool.digest,
        "system": system,
        "settings": built.settings,
    }
    plan = json.loads(json.dumps(plan))
    path = staging / PLAN
    if not path.is_file() or json.loads(path.read_text(encoding="utf-8")) != plan:
        shutil.rmtree(staging / STORE, ignore_errors=True)
        EdgeStore.create(staging / STORE, built.spaces).close()
        path.write_text(json.dumps(plan), encoding="utf-8")


def _encode(spool: Spool, staging: Path, built: Resident, told: Stages) -> list[str]:
    """Fill the store; the languages of its documents."""
    store = EdgeStore.open(staging / STORE)
    try:
        gathering = Gathering(mirrored(built), store.folder)
        built.recount(gathering.noting(store.records([space.name for space in built.spaces])))
        with Pipeline(built, islice(iter(spool), store.count(), None)) as pipeline:
            if isinstance(built, Surveying):
                built.survey(spool, told.stage("surveying", spool.count))
            advance = told.stage("indexing", spool.count)
            advance(store.count())  # batches are logged whole and in order
            for records in pipeline:
                store.add(records)
                built.observe(records)
                gathering.add(records)
                advance(len(records))
        languages = list(store.languages())
    except BaseException:
        store.close()
        raise
    advance = told.stage("optimising", spool.count)
    store.close_optimized(gathering)
    advance(spool.count)
    return languages


@contextmanager
def _prompt_switches() -> Iterator[None]:
    """Let threads that encode have Python's lock soon: they need it for a moment after each text.

    By Python's own interval they would wait for it longer than they take to encode one.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(PROMPT)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def _take_place(staging: Path, folder: Path) -> None:
    old = folder.with_name(f".{folder.name}.old")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    staging.rename(folder)
    shutil.rmtree(old, ignore_errors=True)
