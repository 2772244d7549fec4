"""The files of a root and those that an index has of it -> what to read and what to delete."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

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


class SeenFile(NamedTuple):
    """What became of a file before, where its documents do not tell: it may have none.

    A ``status`` of "" is that of a file that has got another time, but not another content.
    """

    size: int
    modified: str
    digest: str
    status: str = ""
    reason: str = ""


@dataclass(slots=True)
class FileComparison:
    """What has become of the files of a root; ``lost`` ones keep their documents."""

    unchanged: list[tuple[ScannedFile, SeenFile | None]] = field(default_factory=list)
    to_read: list[tuple[ScannedFile, FileFacts]] = field(default_factory=list)
    lost: list[tuple[ScannedFile, str]] = field(default_factory=list)  # while we looked; why
    origins: dict[str, str] = field(default_factory=dict)  # id of a file -> of the same content
    deleted: dict[str, list[str]] = field(default_factory=dict)  # id of a file -> its documents
    replaced: dict[str, list[str]] = field(default_factory=dict)
    seen: dict[str, SeenFile] = field(default_factory=dict)  # to be recorded

    @property
    def moved_from(self) -> dict[str, str]:
        """The files that have another id than before, with the one before."""
        return {new: old for new, old in self.origins.items() if old in self.deleted}


def compare(
    files: Sequence[ScannedFile],
    known: Mapping[str, IndexedFile],
    seen: Mapping[str, SeenFile] | None = None,
) -> FileComparison:
    """Which files are new or changed, moved, or gone.

    A file with the size and the time of before is unchanged; any other is read for its digest. What
    is below a folder that cannot be looked at is neither changed nor gone.
    """
    result = FileComparison()
    by_digest = {file.facts.digest: name for name, file in known.items() if file.facts}
    closed = {file.doc_id: file for file in files if file.is_closed}
    for file in files:
        if file.is_closed:
            continue
        try:
            _compare_file(file, known.get(file.doc_id), (seen or {}).get(file.doc_id), result)
        except OSError as error:
            result.lost.append((file, f"cannot be read ({error.strerror})"))
    for file, facts in result.to_read:
        if (same := by_digest.get(facts.digest)) is not None and same != file.doc_id:
            result.origins[file.doc_id] = same
    present = {file.doc_id for file in files}
    not_deleted = set[str]()
    for name, indexed in known.items():
        if inside := closed.keys() & _with_parents(name):
            not_deleted |= inside
        elif name not in present:
            result.deleted[name] = indexed.doc_ids
    for doc_id, file in closed.items():
        stay = "; what is indexed of it stays" if doc_id in not_deleted else ""
        result.lost.append((file, file.reason + stay))
    return result


def _with_parents(name: str) -> set[str]:
    """The id of a file, and those of the folders that it is in."""
    return {name, *(name[:end] for end, letter in enumerate(name) if letter == "/")}


def _compare_file(
    file: ScannedFile, before: IndexedFile | None, seen: SeenFile | None, result: FileComparison
) -> None:
    modified = modified_of(file)
    if seen and (seen.size, seen.modified) != (file.size, modified):
        seen = None
    if seen and (seen.status or before):
        result.seen[file.doc_id] = seen
        result.unchanged.append((file, seen))
        return
    facts = before.facts if before and before.complete else None
    if facts and (facts.size, facts.modified) == (file.size, modified):
        result.unchanged.append((file, None))
        return
    digest = digest_of(file.path)
    if facts and facts.digest == digest:
        result.seen[file.doc_id] = SeenFile(file.size, modified, digest)
        result.unchanged.append((file, None))
        return
    result.to_read.append((file, FileFacts(file.size, modified, digest)))
    if before:
        result.replaced[file.doc_id] = before.doc_ids


def digest_of(path: Path) -> str:
    """A hash over a file's bytes."""
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def missing_share(comparison: FileComparison, known: Mapping[str, IndexedFile]) -> float:
    """The share of indexed files that are gone; one that was moved is not."""
    moved = {*comparison.moved_from.values()}
    return (len(comparison.deleted) - len(moved)) / len(known) if known else 0.0
