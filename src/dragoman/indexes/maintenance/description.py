"""An index folder -> what it holds, how it was built, and from where."""

from datetime import UTC, datetime
from typing import Any

from dragoman.indexes.index import Index
from dragoman.indexes.manifest import MANIFEST
from dragoman.indexes.sync.records import ROOT


def describe(index: Index) -> dict[str, Any]:
    """The facts about an index, by name, in the order that people read them."""
    folder, manifest = index.folder, index.manifest
    with index.snapshot() as snapshot:
        files = [path for path in folder.rglob("*") if path.is_file()]
        built = datetime.fromtimestamp((folder / MANIFEST).stat().st_mtime, UTC)
        return {
            "index": str(folder),
            "documents": len(snapshot),
            "languages": dict(snapshot.languages),
            "bytes": sum(path.stat().st_size for path in files),
            "segments": len(snapshot.readers),
            "system": manifest.system,
            "format": manifest.format,
            "built": f"{built:%Y-%m-%d %H:%M} UTC, dragoman {manifest.dragoman}",
            "sources": snapshot.facts_named(ROOT),
            "treatments": snapshot.treatments(),
            "fields": snapshot.field_names(),
            "warnings": [*manifest.warnings],
        }
