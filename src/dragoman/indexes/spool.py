"""The documents of a build, written to one file, so that a killed build can be resumed.

Reading the sources is cheap, encoding is expensive. The spool stores the documents in the order of
the sources, with a hash over all of them; a later build with the same hash continues.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dragoman.errors import InputError
from dragoman.indexes.arguments import checked_documents
from dragoman.indexes.pipeline import passage_count
from dragoman.protocols import Advance
from dragoman.text.id_set import IdSet
from dragoman.text.records import Location, check_unique
from dragoman.types import Document

NAME = "spool.jsonl"


@dataclass(frozen=True, slots=True)
class Spool:
    """A file of documents and the hash over them."""

    path: Path
    count: int
    passages: int  # about so many, by their letters
    digest: str
    languages: frozenset[str]

    @classmethod
    def write(cls, documents: Iterable[Document], folder: Path, advance: Advance) -> "Spool":
        """Write the documents to ``folder``; a repeated id and an empty source are errors."""
        path, count, passages, digest = folder / NAME, 0, 0, hashlib.sha256()
        seen, languages = IdSet(), set[str]()
        with path.open("wb") as stream:
            for document in checked_documents(documents):
                count += 1
                passages += passage_count(len(document.text))
                check_unique(Location(Path(f"document {count:,}")), seen, document.doc_id)
                languages.add(document.language)
                line = _line(document)
                digest.update(line)
                stream.write(line)
                advance()
        if count == 0:
            raise InputError(
                "documents", None, found="no document at all", expected="at least one document"
            )
        return cls(path, count, passages, digest.hexdigest(), frozenset(languages))

    def __iter__(self) -> Iterator[Document]:
        with self.path.open("rb") as stream:
            yield from map(_document, stream)


def _line(document: Document) -> bytes:
    fields = (
        document.doc_id,
        document.text,
        document.title,
        document.language,
        dict(document.metadata),
    )
    return json.dumps(fields, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def _document(line: bytes) -> Document:
    return Document(*json.loads(line.decode("utf-8", "surrogatepass")))
