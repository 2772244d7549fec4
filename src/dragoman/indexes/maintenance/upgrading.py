"""An index of an older format, older tables or another encoder -> the same one, as of today.

It is built again from its own stored texts beside the old one, with its system, its settings and
the user's own tables, students and models. A killed upgrade goes on where it stopped.
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
from dragoman.indexes.store import PATIENCE
from dragoman.indexes.system import System
from dragoman.protocols import Stage, no_stages
from dragoman.storage.database import guarded
from dragoman.storage.folders import replace_folder


def upgrade(folder: Path, *, version: str, stage: Stage = no_stages) -> tuple[str, ...]:
    """What differed from this installation; nothing, and the index is left as it is.

    Others may search the old index meanwhile; who wants to change it waits, then is refused.
    """
    manifest = Manifest.read(folder, OLDEST)
    refuse_changed(folder)  # a damaged model must not be taken for a new one
    system: System = registry.system(manifest.system).load(folder / SYSTEM)
    with StoredTexts(folder) as texts:
        if not (found := differences(manifest, system, texts.treatments())):
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
            old = replace_folder(staging, folder)
    if old is not None:
        rmtree(old, ignore_errors=True)
    return found


def differences(
    manifest: Manifest, system: System, treatments: Mapping[str, str]
) -> tuple[str, ...]:
    """What an index has that this installation would make otherwise, in words."""
    found = []
    if manifest.format != FORMAT:
        found.append(f"format: {manifest.format}, now {FORMAT}")
    now = json.loads(json.dumps(system.settings))
    for key in sorted(now.keys() | manifest.settings.keys()):
        if now.get(key) != manifest.settings.get(key):
            found.append(f"{key}: {manifest.settings.get(key)!r}, now {now.get(key)!r}")
    for language, then in treatments.items():
        if (mine := system.treatment(language)) != then:
            found.append(f"documents in {language}: {then}, now {mine}")
    return tuple(found)
