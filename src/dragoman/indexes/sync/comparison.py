"""The files of a root and those that an index has of it -> what to read and what to delete."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.indexes.sync.file_documents import (
    COMPLETE,
    FileFacts,
    file_id,
    modified_of,
)
from dragoman.text.readers.scan import ScannedFile

CHUNK = 1 << 20


@dataclass(slots=True)
class IndexedFile:
    """A file as an index has it."""

    facts: FileFacts | None = None  # None where its documents disagree
    complete: bool = False
    doc_ids: list[str] = field(default_factory=list)


def indexed_files(metadata: Iterable[tuple[str, Mapping[str, object]]]) -> dict[str, IndexedFile]:
    """The files of documents, by their ids; ``metadata`` is of documents by id."""
    files: dict[str, IndexedFile] = {}
    for doc_id, known in metadata:
        if "digest" not in known:
            continue  # of another origin
        facts = FileFacts(*(known.get(name) for name in FileFacts._fields))  # type: ignore[arg-type]
        file = files.setdefault(file_id(doc_id), IndexedFile(facts))
        file.facts = facts if file.facts == facts else None
        file.complete |= bool(known.get(COMPLETE))
        file.doc_ids.append(doc_id)
    return files


@dataclass(slots=True)
class FileComparison:
    """What has become of the files of a root."""

    unchanged: list[ScannedFile] = field(default_factory=list)
    to_read: list[tuple[ScannedFile, FileFacts]] = field(default_factory=list)
    moved_from: dict[str, str] = field(default_factory=dict)  # id of a file -> of the same content
    deleted: dict[str, list[str]] = field(default_factory=dict)  # id of a file -> its documents
    replaced: dict[str, list[str]] = field(default_factory=dict)


def compare(files: Sequence[ScannedFile], known: Mapping[str, IndexedFile]) -> FileComparison:
    """Which files are new or changed, moved, or gone.

    A file with the size and the time of before is unchanged; any other is read for its digest.
    """
    result = FileComparison()
    by_digest = {file.facts.digest: name for name, file in known.items() if file.facts}
    for file in files:
        before = known.get(file.doc_id)
        modified = modified_of(file)
        if before and before.facts and before.complete:
            same_time = (before.facts.size, before.facts.modified) == (file.size, modified)
            if same_time or before.facts.digest == digest_of(file.path):
                result.unchanged.append(file)
                continue
        facts = FileFacts(file.size, modified, digest_of(file.path))
        result.to_read.append((file, facts))
        if (same := by_digest.get(facts.digest)) is not None:
            result.moved_from[file.doc_id] = same
        if before:
            result.replaced[file.doc_id] = before.doc_ids
    present = {file.doc_id for file in files}
    result.deleted = {name: file.doc_ids for name, file in known.items() if name not in present}
    return result


def digest_of(path: Path) -> str:
    """A hash over a file's bytes."""
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def missing_share(comparison: FileComparison, known: Mapping[str, IndexedFile]) -> float:
    """The share of indexed files that are gone; one that was moved is not."""
    moved = comparison.deleted.keys() & {*comparison.moved_from.values()}
    return (len(comparison.deleted) - len(moved)) / len(known) if known else 0.0
