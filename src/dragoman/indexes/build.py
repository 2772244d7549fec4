"""Documents -> a new index, which replaces the folder when it is complete; or additions to one.

The build happens in a hidden folder next to the target. If it is killed, the old index stays as it
was, and the same command continues where it stopped: stored documents are not encoded again.
"""

import json
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory

from dragoman import compilation, registry
from dragoman.batches import batched
from dragoman.indexes.index import Index
from dragoman.indexes.lock import Lock
from dragoman.indexes.maintenance.checksums import write_checksums
from dragoman.indexes.maintenance.export import live_documents
from dragoman.indexes.manifest import FORMAT, STORE, SYSTEM, Manifest, refuse_foreign_folder
from dragoman.indexes.pipeline import EncodingWorkers, Pipeline, passages_of
from dragoman.indexes.spaces import Record
from dragoman.indexes.spool import Spool
from dragoman.indexes.store import PATIENCE, Store
from dragoman.indexes.system import CollectsStatistics, System
from dragoman.protocols import Advance, Stage, no_stages
from dragoman.storage.database import guarded
from dragoman.storage.folders import flush_tree, replace_folder
from dragoman.storage.outputs import require_writable_folder
from dragoman.storage.staging import staged_folder
from dragoman.types import Document

PLAN = "plan.json"
SWITCH_INTERVAL = 0.0005  # seconds after which a waiting thread gets Python's lock
SEGMENT = 8  # batches per segment; a killed build loses at most these


def build(
    documents: Iterable[Document],
    folder: Path,
    *,
    system: str,
    version: str,
    settings: Mapping[str, object] | None = None,
    stage: Stage = no_stages,
    workers: EncodingWorkers | None = None,
) -> Index:
    """The index of ``documents`` in ``folder``, which is replaced when all is written.

    Documents are encoded by ``workers``, or in this process; the index is the same.
    """
    kind = registry.system(system)
    config = kind.configure(settings or {})
    refuse_foreign_folder(folder)
    require_writable_folder(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with build_staged(
        documents,
        folder,
        lambda: kind.create(config),
        version=version,
        stage=stage,
        workers=workers,
    ) as staging:
        if (folder / STORE).is_dir():
            with Lock(folder / STORE, PATIENCE):  # no other process writes to the old one meanwhile
                old = replace_folder(staging, folder)
        else:
            old = replace_folder(staging, folder)
        if old is not None:
            shutil.rmtree(old, ignore_errors=True)
    return Index(folder)


@contextmanager
def build_staged(
    documents: Iterable[Document],
    folder: Path,
    create: Callable[[], System],
    *,
    version: str,
    stage: Stage = no_stages,
    collect: bool = True,
    workers: EncodingWorkers | None = None,
) -> Iterator[Path]:
    """A complete index of ``documents`` in a hidden folder next to ``folder``, to replace it.

    ``collect`` is False for a system that was loaded and has its statistics already.
    """
    staging = folder.with_name(f".{folder.name}.building")
    staging.mkdir(exist_ok=True)
    with Lock(staging, patience=0), _named_or_removed(staging):
        system = create()  # before documents are read: wrong settings are refused at once
        with guarded(staging):
            spool = Spool.write(documents, staging, stage("reading", None))
        if collect and isinstance(system, CollectsStatistics):
            system.collect(spool, stage("collecting statistics", spool.count))
        _prepare(spool, staging, system, version)
        compilation.enable()
        with _short_switch_interval():
            _encode(spool, staging, system, stage, workers)
        write_checksums(staging)
        spool.path.unlink()
        (staging / PLAN).unlink()
        yield staging


def rebuild(index: Index, folder: Path, system: str, advance: Advance) -> None:
    """Build an index of the same documents with another system."""

    def documents() -> Iterator[Document]:
        for document in live_documents(index):
            yield document
            advance()

    build(documents(), folder, system=system, version=index.manifest.dragoman).close()


def extend(
    documents: Iterable[Document],
    index: Index,
    *,
    stage: Stage = no_stages,
    workers: EncodingWorkers | None = None,
) -> Index:
    """The index with these documents, which replace those with the same ids.

    All of them are read before the first one is added: a bad line leaves the index as it was.
    """
    with TemporaryDirectory(prefix="dragoman-") as folder_of_spool:
        try:
            spool = Spool.write(documents, Path(folder_of_spool), stage("reading", None))
            with noted_interrupt(index.place):
                index.add(spool, stage("adding passages", spool.passages), workers=workers)
        except BaseException:
            index.close()
            raise
    return index


@contextmanager
def noted_interrupt(place: Path | str) -> Iterator[None]:
    """Note after Ctrl-C that a part of the changes is in the index."""
    try:
        yield
    except KeyboardInterrupt as error:
        error.add_note(f"{place} is whole, perhaps with a part of the changes. Repeat the command.")
        raise


@contextmanager
def _named_or_removed(staging: Path) -> Iterator[None]:
    """After an error or Ctrl-C, remove a build that cannot be continued; note where another is."""
    try:
        yield
    except BaseException as error:
        if (staging / PLAN).is_file():
            error.add_note(
                f"The unfinished build is in {staging}: the same command continues it; remove the"
                " folder to begin anew."
            )
        else:
            shutil.rmtree(staging, ignore_errors=True)
        raise


def _prepare(spool: Spool, staging: Path, system: System, version: str) -> None:
    """Create an empty index, unless a build of the same documents and settings was begun."""
    plan = {
        "format": FORMAT,
        "documents": spool.digest,
        "system": system.name,
        "settings": system.settings,
        "treatments": {code: system.treatment(code) for code in sorted(spool.languages)},
    }
    plan = json.loads(json.dumps(plan))
    path = staging / PLAN
    if _read_plan(path) == plan:
        return
    shutil.rmtree(staging / STORE, ignore_errors=True)
    with staged_folder(staging / SYSTEM) as saved:
        system.save(saved)
    warnings = tuple(system.warnings(sorted(spool.languages)))
    Manifest(version, system.name, system.settings, warnings).write(staging)
    Store.create(staging / STORE, system.spaces).close()
    flush_tree(staging)  # the plan is written last: even after a power loss it implies the rest
    path.write_text(json.dumps(plan), encoding="utf-8")


def _read_plan(path: Path) -> object:
    """The plan of a build that was begun; None where it is missing or truncated."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _encode(
    spool: Spool, staging: Path, system: System, stage: Stage, workers: EncodingWorkers | None
) -> None:
    """Fill the store and merge its segments."""
    with Index(staging, system) as index:
        done = index.count()
        advance = stage("indexing passages", spool.passages)
        advance(passages_of(islice(iter(spool), done)))  # segments hold whole batches, in order

        def advanced(records: list[Record]) -> list[Record]:
            advance(passages_of(record.document for record in records))
            return records

        left = islice(iter(spool), done, None)
        with Pipeline(system, left, workers=workers) as pipeline:
            for batches in batched(map(advanced, pipeline), SEGMENT):
                index.store_records([*chain.from_iterable(batches)], memtable=0)
        advance = stage("merging", spool.count)
        index.optimize()
        advance(spool.count)


@contextmanager
def _short_switch_interval() -> Iterator[None]:
    """Give encoding threads Python's lock soon: they need it for a moment after each text.

    With Python's default interval they wait for it longer than they take to encode a text.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(SWITCH_INTERVAL)
    try:
        yield
    finally:
        sys.setswitchinterval(before)
