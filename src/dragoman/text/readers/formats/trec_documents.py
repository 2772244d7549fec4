"""TREC's SGML -> a text for every ``<DOC>``, named by its ``<DOCNO>``."""

from collections.abc import Iterator
from pathlib import Path

from dragoman.errors import InputError
from dragoman.text.files import Faults, OnError
from dragoman.text.formats.sgml_documents import read_documents
from dragoman.text.readers.contents import (
    Content,
    FileText,
    ReaderConfig,
    Section,
    UnreadableFile,
)


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """The documents of a file; broken ones are left out and reported."""
    del config
    faults, documents = Faults(OnError.SKIP, max_examples=1), 0
    try:
        for document in read_documents(path, faults):
            documents += 1
            yield FileText(
                document.doc_id, document.title, document.language, dict(document.metadata)
            )
            yield Section(document.text)
    except InputError as error:
        raise UnreadableFile(error.found) from error
    if faults.skipped:
        example = faults.examples[0].removeprefix(str(path)).lstrip(", ").removesuffix(".")
        blocks = documents + faults.skipped
        raise UnreadableFile(f"{example}; {faults.skipped:,} of {blocks:,} documents are broken")
