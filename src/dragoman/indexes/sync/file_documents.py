"""A text of a file -> the documents that an index holds of it, and back to the file.

Metadata of such a document: ``root`` (label), ``path`` (inside the root), ``format``, ``size``,
``modified`` and ``digest`` of the file, ``part`` where its text is in several documents, and
``_sections``: where pages and headings begin in the text. The last document of a file has
``complete``, so that a file whose indexing was interrupted is recognised.
"""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from dragoman.indexes.search.sections import SECTIONS
from dragoman.text.readers.assembly import ReadText
from dragoman.text.readers.languages import LanguageRun
from dragoman.text.readers.scan import Root, ScannedFile
from dragoman.types import Document

COMPLETE = "complete"
OWN = "own_"  # before a field of the text whose name the file needs, with and without it
BETWEEN = "\n\n"  # runs of one language
INSIDE = "#"  # between the id of a file and what is inside it


class FileFacts(NamedTuple):
    """What tells whether a file has changed."""

    size: int
    modified: str
    digest: str


FILE_FIELDS = frozenset({"root", "path", "format", "part", COMPLETE, SECTIONS, *FileFacts._fields})


def modified_of(file: ScannedFile) -> str:
    """When a file was changed, as metadata has it."""
    moment = datetime.fromtimestamp(file.modified // 1_000_000_000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{file.modified // 1000 % 1_000_000:06}Z"


def documents_of(
    root: Root, file: ScannedFile, facts: FileFacts, read: ReadText, runs: Sequence[LanguageRun]
) -> Iterator[Document]:
    """One document for each language of a text, made of its runs in that language."""
    inside = file.doc_id[len(root.label) + 1 :]
    languages = [*dict.fromkeys(run.language for run in runs)]
    for language in languages:
        suffix = [read.name] if read.name else []
        suffix += [f"part-{read.part}"] if read.part else []
        suffix += [language] if len(languages) > 1 else []
        text, sections = _joined(read, [run for run in runs if run.language == language])
        metadata: dict[str, Any] = {
            **{own_name(name): value for name, value in read.metadata.items()},
            "root": root.label,
            "path": inside,
            "format": read.file_type,
            **facts._asdict(),
        }
        if read.part:
            metadata["part"] = read.part
        if sections:
            metadata[SECTIONS] = sections
        doc_id = INSIDE.join((file.doc_id, "/".join(suffix))) if suffix else file.doc_id
        yield Document(doc_id, text, read.title, language, metadata)


def own_name(field: str) -> str:
    """The name of a text's own field: ``own_...`` where the file has a field of that name."""
    base = field
    while base.startswith(OWN):
        base = base.removeprefix(OWN)
    return OWN + field if base in FILE_FIELDS else field


def _joined(read: ReadText, runs: Sequence[LanguageRun]) -> tuple[str, list[list[Any]]]:
    """The text of some runs, and its sections: offset, page, heading."""
    pieces: list[str] = []
    sections: list[list[Any]] = []
    length = 0
    for run in runs:
        if pieces:
            pieces.append(BETWEEN)
            length += len(BETWEEN)
        for offset, page, heading in _sections_of(read, run):
            if [page, heading] != (sections[-1][1:] if sections else [0, ""]):
                sections.append([length + max(offset - run.start, 0), page, heading])
        piece = read.text[run.start : run.end].rstrip()
        pieces.append(piece)
        length += len(piece)
    return "".join(pieces), sections


def _sections_of(read: ReadText, run: LanguageRun) -> list[tuple[int, int, str]]:
    """The sections that a run has text of."""
    starts = [offset for offset, _, _ in read.sections]
    first = max(bisect_right(starts, run.start) - 1, 0)
    return [one for one in read.sections[first:] if one[0] < run.end]


def completed(document: Document) -> Document:
    """The last document of a file."""
    return replace(document, metadata={**document.metadata, COMPLETE: True})


def file_id(doc_id: str) -> str:
    """The id of the file that a document is from."""
    return doc_id.partition(INSIDE)[0]
