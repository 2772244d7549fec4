"""An index -> its documents as lines of a corpus file, ordered by id, ready to be indexed again.

Documents are fetched in batches: only their ids are all in memory. The format is the plain one
(``text/formats/plain``); vectors and counts are not exported.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from dragoman.errors import InputError
from dragoman.protocols import Advance, no_progress
from dragoman.text.formats.plain import document_lines, write_documents
from dragoman.types import Document

BATCH = 500  # documents in memory


class Exportable(Protocol):
    """An index whose documents can be listed and fetched."""

    def doc_ids(self) -> list[str]:
        """The ids of all documents, sorted."""
        ...

    def documents(self, doc_ids: Sequence[str]) -> list[Document | None]:
        """The documents in the order of ``doc_ids``; ``None`` where one does not exist."""
        ...


def live_documents(index: Exportable, advance: Advance = no_progress) -> Iterator[Document]:
    """The documents of ``index`` by id; those deleted since the ids were listed are left out."""
    doc_ids = index.doc_ids()
    for start in range(0, len(doc_ids), BATCH):
        batch = doc_ids[start : start + BATCH]
        yield from (document for document in index.documents(batch) if document is not None)
        advance(len(batch))


def export_file(index: Exportable, path: Path, advance: Advance = no_progress) -> int:
    """Write the documents to ``path``, compressed by its ending (.gz, .zst); returns how many.

    A file that was there is replaced when all is written, and stays as it was after an error.
    """
    with _unwritable_as_input_error(path):
        if path.exists() and not path.is_file():
            found = "a folder" if path.is_dir() else "a pipe or a device"
            raise InputError(path, None, found=found, expected="a regular file or a new name")
        return write_documents(path, live_documents(index, advance))


def export_stream(
    index: Exportable, stream: IO[bytes], name: str, advance: Advance = no_progress
) -> int:
    """Write the documents to ``stream``, called ``name`` in errors; returns how many."""
    path, count = Path(name), 0
    with _unwritable_as_input_error(path):
        for line in document_lines(path, live_documents(index, advance)):
            stream.write(line.encode())
            count += 1
        stream.flush()
    return count


@contextmanager
def _unwritable_as_input_error(path: Path) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:  # the reader has closed the pipe, as in ``dragoman export I | head``
        raise
    except OSError as error:
        raise InputError(
            path,
            None,
            found=f"an output that cannot be written ({error.strerror or error})",
            expected="a location where files can be written",
        ) from error
