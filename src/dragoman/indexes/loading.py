"""The folder of an index -> its system, refused where it would treat a document differently."""

from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from dragoman import registry
from dragoman.errors import IndexFault
from dragoman.indexes import documents as table
from dragoman.indexes.manifest import STORE, SYSTEM, Manifest
from dragoman.indexes.store import Store
from dragoman.indexes.system import AdaptsToDocuments, System


def stored_treatments(folder: Path, system: System) -> dict[str, str]:
    """How the documents of each language were treated that are in a folder."""
    with (
        closing(Store(folder / STORE, system.spaces)) as store,
        store.database.read_transaction() as connection,
    ):
        return table.treatments(connection)


def load_system(
    folder: Path, manifest: Manifest, treatments: Callable[[System], Mapping[str, str]]
) -> System:
    """The system as it treated the documents of an index; ``treatments`` reads how."""
    system: System = registry.system(manifest.system).load(folder / SYSTEM)
    manifest.check_settings(folder, system.settings)
    advice = f"Rebuild it from its own texts: dragoman upgrade {folder}"
    return adapted_system(system, treatments(system), str(folder), advice)


def adapted_system(
    system: System, treatments: Mapping[str, str], place: str, advice: str
) -> System:
    """The system as documents were treated, by language; refused where it cannot treat them so."""
    if isinstance(system, AdaptsToDocuments):
        system = system.adapted(treatments)
    for language, treated in treatments.items():
        if (now := system.treatment(language)) != treated:
            raise IndexFault(
                f"{place}: documents in {language!r} were indexed with {treated}; this"
                f" installation has {now}. {advice}"
            )
    return system
