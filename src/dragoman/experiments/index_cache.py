"""Documents -> an index to measure on: temporary, or cached in a folder for the next time.

The folder of a cached index is named after the collection and a hash of all ids, languages and
texts, so a changed collection is indexed again. The index itself refuses to open where this
installation would treat its documents differently.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import dragoman
from dragoman import compilation
from dragoman.indexes.index import Index
from dragoman.indexes.system import System
from dragoman.text.fingerprints import fingerprint_documents
from dragoman.types import Document

SYSTEM = "hybrid"
SYSTEMS = ("psq", "dense", SYSTEM)  # those that a hybrid index can search with


@contextmanager
def temporary_index(
    documents: Iterable[Document], system: str, settings: Mapping[str, object] | None = None
) -> Iterator[Index]:
    """An index of ``documents`` that is removed after the block."""
    compilation.enable()
    with (
        tempfile.TemporaryDirectory(prefix="dragoman-") as folder,
        dragoman.index(documents, Path(folder) / "index", system=system, settings=settings) as one,
    ):
        yield one


@contextmanager
def cached_index(name: str, documents: Sequence[Document], cache: Path | None) -> Iterator[Index]:
    """The hybrid index of ``documents``, stored in the folder ``cache`` where one is given."""
    if cache is None:
        with temporary_index(documents, SYSTEM) as index:
            yield index
        return
    compilation.enable()
    folder = cache / f"{name}-{fingerprint_documents(documents)[:12]}"
    stored = dragoman.open(folder) if folder.is_dir() else None
    with stored or dragoman.index(documents, folder, system=SYSTEM) as index:
        yield index


def index_systems(index: Index) -> dict[str, System]:
    """The systems of a hybrid index by their names: those of ``SYSTEMS``."""
    hybrid: Any = index.system
    return {"psq": hybrid.psq, "dense": hybrid.dense, "hybrid": hybrid}
