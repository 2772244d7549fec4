"""The fingerprint of an index's documents, computed once for each state of the index."""

from pathlib import Path

from dragoman.indexes.index import Index
from dragoman.indexes.maintenance.export import live_documents
from dragoman.protocols import Advance, no_progress
from dragoman.storage.cache import cache_folder
from dragoman.storage.staging import write_lines
from dragoman.text.fingerprints import DIGITS, fingerprint_documents


def index_fingerprint(index: Index, advance: Advance = no_progress) -> str:
    """The fingerprint of all documents; known ones are read from the user's cache."""
    with index.snapshot() as snapshot:
        generation = snapshot.generation
    path = cache_folder() / "fingerprints" / f"{index.manifest.identity}-{generation}"
    if (known := _known(path)) is not None:
        return known
    computed = fingerprint_documents(live_documents(index, advance))
    with write_lines(path) as stream:
        stream.write(computed + "\n")
    return computed


def _known(path: Path) -> str | None:
    try:
        text = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return text if len(text) == DIGITS else None
