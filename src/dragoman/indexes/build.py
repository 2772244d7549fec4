"""Documents -> an index in a new folder, which takes its place when it is whole; or more in one.

The build happens in a hidden folder beside the target. If it is killed, the old index stays as it
was, and the same command goes on where it stopped: what is in the store is not encoded again.
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
from dragoman.errors import UserError
from dragoman.indexes.index import Index
from dragoman.indexes.lock import Lock
from dragoman.indexes.maintenance.checksums import write_checksums
from dragoman.indexes.manifest import FORMAT, STORE, SYSTEM, Manifest, refuse_foreign_folder
from dragoman.indexes.pipeline import Pipeline
from dragoman.indexes.spool import Spool
from dragoman.indexes.store import PATIENCE, Store
from dragoman.indexes.system import CollectsStatistics, System
from dragoman.protocols import Stage, no_stages
from dragoman.storage.database import guarded
from dragoman.storage.folders import flush_tree, replace_folder
from dragoman.storage.staging import staged_folder
from dragoman.types import Document

PLAN = "plan.json"
PROMPT = 0.0005  # seconds after which Python's lock goes to a thread that waits for it
SEGMENT = 8  # batches that become a segment; a killed build loses at most these


def build(
    documents: Iterable[Document],
    folder: Path,
    *,
    system: str,
    version: str,
    settings: Mapping[str, object] | None = None,
    stage: Stage = no_stages,
) -> Index:
    """The index of ``documents`` in ``folder``, which is replaced when all is written."""
    kind = registry.system(system)
    config = kind.configure(settings or {})
    refuse_foreign_folder(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    with built_beside(
        documents, folder, lambda: kind.create(config), version=version, stage=stage
    ) as staging:
        if (folder / STORE).is_dir():
            with Lock(folder / STORE, PATIENCE):  # nobody writes to the old one meanwhile
                old = replace_folder(staging, folder)
        else:
            old = replace_folder(staging, folder)
        if old is not None:
            shutil.rmtree(old, ignore_errors=True)
    return Index(folder)


@contextmanager
def built_beside(
    documents: Iterable[Document],
    folder: Path,
    create: Callable[[], System],
    *,
    version: str,
    stage: Stage = no_stages,
    collect: bool = True,
) -> Iterator[Path]:
    """A whole index of ``documents`` in a hidden folder beside ``folder``, to take its place.

    A system that was loaded has its statistics: they are not to be collected again.
    """
    staging = folder.with_name(f".{folder.name}.building")
    staging.mkdir(exist_ok=True)
    with Lock(staging, patience=0):
        spool = _spool(documents, staging, stage)
        built = create()
        if collect and isinstance(built, CollectsStatistics):
            built.collect(spool, stage("collecting statistics", spool.count))
        _plan(spool, staging, built, version)
        compilation.enable()
        with _prompt_switches():
            _encode(spool, staging, built, stage)
        write_checksums(staging)
        spool.path.unlink()
        (staging / PLAN).unlink()
        yield staging


def extend(documents: Iterable[Document], folder: Path, *, stage: Stage = no_stages) -> Index:
    """The index in ``folder`` with these documents, which replace those with the same ids.

    All of them are read before the first one is added: a bad line leaves the index as it was.
    """
    index = Index(folder)
    with TemporaryDirectory(prefix="dragoman-") as aside:
        spool = Spool.write(documents, Path(aside), stage("reading", None))
        try:
            index.add(spool, stage("adding", spool.count))
        except BaseException:
            index.close()
            raise
    return index


def _spool(documents: Iterable[Document], staging: Path, stage: Stage) -> Spool:
    try:
        with guarded(staging):
            return Spool.write(documents, staging, stage("reading", None))
    except UserError:
        shutil.rmtree(staging)  # nothing in it is worth going on with
        raise


def _plan(spool: Spool, staging: Path, built: System, version: str) -> None:
    """Make an empty index ready; one of other documents or settings is thrown away."""
    plan = {
        "format": FORMAT,
        "documents": spool.digest,
        "system": built.name,
        "settings": built.settings,
        "treatments": {code: built.treatment(code) for code in sorted(spool.languages)},
    }
    plan = json.loads(json.dumps(plan))
    path = staging / PLAN
    if _read_plan(path) == plan:
        return
    shutil.rmtree(staging / STORE, ignore_errors=True)
    with staged_folder(staging / SYSTEM) as saved:
        built.save(saved)
    warnings = tuple(built.warnings(sorted(spool.languages)))
    Manifest(version, built.name, built.settings, warnings).write(staging)
    Store.create(staging / STORE, built.spaces).close()
    flush_tree(staging)  # where there is a plan, there is the rest, also after a power loss
    path.write_text(json.dumps(plan), encoding="utf-8")


def _read_plan(path: Path) -> object:
    """The plan of a build that was begun; None where there is none, or where it was cut off."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None


def _encode(spool: Spool, staging: Path, built: System, stage: Stage) -> None:
    """Fill the store and merge its segments."""
    with Index(staging, built) as index:
        known = index.count()
        advance = stage("indexing", spool.count)
        advance(known)  # segments hold whole batches, in order
        with Pipeline(built, islice(iter(spool), known, None)) as pipeline:
            for batches in batched(pipeline, SEGMENT):
                records = [*chain.from_iterable(batches)]
                index.keep(records, memtable=0)
                advance(len(records))
        advance = stage("merging", spool.count)
        index.optimize()
        advance(spool.count)


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
