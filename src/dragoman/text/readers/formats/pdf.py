"""PDF -> the text of each page, by pypdfium2."""

from collections.abc import Iterator
from pathlib import Path

import pypdfium2

from dragoman.text.readers.contents import (
    Content,
    FileText,
    NoTextInFile,
    ReaderConfig,
    Section,
    UnreadableFile,
    Value,
)

FIELDS = {"Author": "author", "Subject": "subject", "Keywords": "keywords"}


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text with a section for every page that has any."""
    del config
    try:
        document = pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        reason = "a PDF that needs a password" if "password" in str(error).lower() else None
        raise UnreadableFile(reason or f"a broken PDF ({error})") from error
    with document:
        declared = document.get_metadata_dict(skip_empty=True)
        metadata: dict[str, Value] = {"pages": len(document)}
        metadata |= {
            ours: declared[theirs] for theirs, ours in FIELDS.items() if theirs in declared
        }
        begun = False
        for number in range(len(document)):
            if text := _page_text(document, number).strip():
                if not begun:
                    yield FileText(title=declared.get("Title", ""), metadata=metadata)
                    begun = True
                yield Section(text, page=number + 1)
    if not begun:
        raise NoTextInFile(f"{metadata['pages']} pages of images, probably scanned")


def _page_text(document: pypdfium2.PdfDocument, number: int) -> str:
    page = document[number]
    text_page = page.get_textpage()
    try:
        return str(text_page.get_text_bounded())
    finally:
        text_page.close()
        page.close()
