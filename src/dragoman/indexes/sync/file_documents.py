"""A text of a file -> the documents that an index holds of it, and back to the file.

Metadata of such a document: ``root`` (label), ``path`` (inside the root), ``format``, ``size``,
``modified`` and ``digest`` of the file, ``part`` where its text is in several documents, and
``_sections``: where pages and headings begin in the text. The last document of a file has
``complete``, so that a file whose indexing was interrupted is recognised.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from dragoman.text.readers.assembly import ReadText
from dragoman.text.readers.languages import LanguageRun
from dragoman.text.readers.scan import Root, ScannedFile
from dragoman.types import Document

SECTIONS, COMPLETE = "_sections", "complete"
INSIDE = "#"  # between the id of a file and what is inside it


class FileFacts(NamedTuple):
    """What tells whether a file has changed."""

    size: int
    modified: str
    digest: str


def modified_of(file: ScannedFile) -> str:
    """When a file was changed, as metadata has it."""
    moment = datetime.fromtimestamp(file.modified // 1_000_000_000, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{file.modified // 1000 % 1_000_000:06}Z"


def documents_of(
    root: Root, file: ScannedFile, facts: FileFacts, read: ReadText, runs: list[LanguageRun]
) -> Iterator[Document]:
    """One document for each run of a text in one language."""
    inside = file.doc_id[len(root.label) + 1 :]
    for number, run in enumerate(runs, start=1):
        suffix = [read.name] if read.name else []
        suffix += [f"part-{read.part}"] if read.part else []
        suffix += [f"{run.language}-{number}"] if len(runs) > 1 else []
        metadata: dict[str, Any] = {
            **read.metadata,
            "root": root.label,
            "path": inside,
            "format": read.file_type,
            **facts._asdict(),
        }
        if read.part:
            metadata["part"] = read.part
        if sections := _sections(read, run):
            metadata[SECTIONS] = sections
        yield Document(
            INSIDE.join((file.doc_id, "/".join(suffix))) if suffix else file.doc_id,
            read.text[run.start : run.end],
            read.title,
            run.language,
            metadata,
        )


def _sections(read: ReadText, run: LanguageRun) -> list[list[Any]]:
    """The sections of a run: offset in it, page, heading; none where there is nothing to say."""
    named = [one for one in read.sections if one[1] or one[2]]
    return [
        [max(offset - run.start, 0), page, heading]
        for position, (offset, page, heading) in enumerate(named)
        if offset < run.end and _end(named, position, len(read.text)) > run.start
    ]


def _end(sections: list[tuple[int, int, str]], position: int, length: int) -> int:
    return sections[position + 1][0] if position + 1 < len(sections) else length


def completed(document: Document) -> Document:
    """The last document of a file."""
    return replace(document, metadata={**document.metadata, COMPLETE: True})


def file_id(doc_id: str) -> str:
    """The id of the file that a document is from."""
    return doc_id.partition(INSIDE)[0]


def section_at(metadata: Mapping[str, Any], offset: int) -> tuple[int, str]:
    """The page and the heading at an offset of a document's text; 0 and "" where there is none."""
    found = (0, "")
    for start, page, heading in metadata.get(SECTIONS, ()):
        if start > offset:
            break
        found = page, heading
    return found
