"""Documents -> an index to measure on: gone afterwards, or kept and opened again next time.

A kept index is found by its documents: its folder is named after the collection and a hash of all
ids, languages and texts, so that a collection that changed is indexed anew. One that this
installation would read differently is refused by the index itself.
"""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

import dragoman
from dragoman import compilation
from dragoman.indexes.index import Index
from dragoman.types import Document

SYSTEM = "hybrid"


@contextmanager
def temporary_index(
    documents: Iterable[Document], system: str, settings: Mapping[str, object] | None = None
) -> Iterator[Index]:
    """An index of ``documents`` that is gone after the block."""
    compilation.enable()
    with (
        tempfile.TemporaryDirectory(prefix="dragoman-") as folder,
        dragoman.index(documents, Path(folder) / "index", system=system, settings=settings) as one,
    ):
        yield one


@contextmanager
def indexed(name: str, documents: Sequence[Document], keep: Path | None) -> Iterator[Index]:
    """The hybrid index of ``documents``; in ``keep`` it stays for the next time."""
    if keep is None:
        with temporary_index(documents, SYSTEM) as index:
            yield index
        return
    compilation.enable()
    folder = keep / f"{name}-{fingerprint(documents)}"
    known = dragoman.open(folder) if folder.is_dir() else None
    with known or dragoman.index(documents, folder, system=SYSTEM) as index:
        yield index


def fingerprint(documents: Sequence[Document]) -> str:
    """Twelve digits that depend on every id, language, title and text, in their order."""
    digest = sha256()
    for document in documents:
        for field in (document.doc_id, document.language, document.title, document.text):
            coded = field.encode("utf-8")
            digest.update(f"{len(coded)}:".encode())
            digest.update(coded)
    return digest.hexdigest()[:12]
