"""An index of an older format, older tables or another encoder -> the same index, up to date.

It is rebuilt from its own stored texts next to the old one, with its system, its settings and the
user's own tables, students and models. A killed upgrade continues where it stopped.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from shutil import rmtree

from dragoman import registry
from dragoman.errors import IndexFault
from dragoman.indexes.build import build_staged
from dragoman.indexes.lock import Lock
from dragoman.indexes.maintenance.checksums import refuse_changed
from dragoman.indexes.maintenance.export import live_documents
from dragoman.indexes.maintenance.stored_texts import StoredTexts
from dragoman.indexes.manifest import FORMAT, OLDEST, STORE, SYSTEM, Manifest
from dragoman.indexes.store import PATIENCE, Store
from dragoman.indexes.system import System
from dragoman.protocols import Stage, no_stages
from dragoman.storage.database import guarded
from dragoman.storage.folders import replace_folder


def upgrade(folder: Path, *, version: str, stage: Stage = no_stages) -> tuple[str, ...]:
    """Upgrade an index; returns its differences from this installation, none if up to date.

    The old index may be searched meanwhile; writers wait, then are refused.
    """
    manifest = Manifest.read(folder, OLDEST)
    refuse_changed(folder)  # a damaged model must not be taken for a new one
    system: System = registry.system(manifest.system).load(folder / SYSTEM)
    with StoredTexts(folder) as texts:
        if not (differing := differences(manifest, system, texts.treatments())):
            return ()
    with guarded(folder), Lock(folder / STORE, PATIENCE), StoredTexts(folder) as texts:
        if not texts.count():
            raise IndexFault(
                f"{folder}: found an index without documents; expected texts to build it from."
                f" Build it again: dragoman index SOURCE -o {folder}"
            )
        with build_staged(
            live_documents(texts),
            folder,
            lambda: system,
            version=version,
            stage=stage,
            collect=False,
        ) as staging:
            _carry_facts(texts, staging, system)
            old = replace_folder(staging, folder)
    if old is not None:
        rmtree(old, ignore_errors=True)
    return differing


def _carry_facts(texts: StoredTexts, staging: Path, system: System) -> None:
    """Record what the old index records apart from its build: tuned weights, folders of files."""
    store = Store(staging / STORE, system.spaces)
    try:
        store.add((), texts.facts())
    finally:
        store.close()


def differences(
    manifest: Manifest, system: System, treatments: Mapping[str, str]
) -> tuple[str, ...]:
    """The differences between an index and this installation, one line each."""
    lines = []
    if manifest.format != FORMAT:
        lines.append(f"format: {manifest.format}, now {FORMAT}")
    now = json.loads(json.dumps(system.settings))
    for key in sorted(now.keys() | manifest.settings.keys()):
        if now.get(key) != manifest.settings.get(key):
            lines.append(f"{key}: {manifest.settings.get(key)!r}, now {now.get(key)!r}")
    for language, then in treatments.items():
        if (mine := system.treatment(language)) != then:
            lines.append(f"documents in {language}: {then}, now {mine}")
    return tuple(lines)
