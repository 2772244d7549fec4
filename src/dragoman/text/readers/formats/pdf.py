"""PDF -> the text of each page under the bookmarks that lead to it, by pypdfium2."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import pypdfium2
from pypdfium2 import raw

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
BOOKMARKS = 10_000
_HYPHENATED = re.compile(r"(\w*)[\x02\ufffe](?:\r?\n)?(\w*)")  # how pdfium marks a hyphen


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; a section for every page that has any, cut at the bookmarks of the page."""
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
        begun, heading, bookmarks = False, "", _bookmarks(document)
        for number in range(len(document)):
            if text := _page_text(document, number).strip():
                if not begun:
                    title = " ".join(declared.get("Title", "").split())
                    yield FileText(title=title, language=_language(document), metadata=metadata)
                    begun = True
                for section in _sections(text, number + 1, heading, bookmarks.get(number, ())):
                    yield section
                    heading = section.heading
    if not begun:
        raise NoTextInFile(f"{metadata['pages']} pages of images, probably scanned")


def _language(document: pypdfium2.PdfDocument) -> str:
    """The language that the catalogue declares."""
    length = raw.FPDFCatalog_GetLanguage(document, None, 0)
    if length <= 2:
        return ""
    buffer = bytearray(length)
    raw.FPDFCatalog_GetLanguage(
        document, (raw.FPDF_WCHAR * (length // 2)).from_buffer(buffer), length
    )
    return buffer.decode("utf-16-le", "replace").rstrip("\0")


def _bookmarks(document: pypdfium2.PdfDocument) -> dict[int, list[str]]:
    """The titles of bookmarks by the page they lead to."""
    titles: dict[int, list[str]] = {}
    for bookmark in islice(document.get_toc(), BOOKMARKS):
        destination = bookmark.get_dest()
        page = destination.get_index() if destination else None
        if page is not None and (title := " ".join(bookmark.get_title().split())):
            titles.setdefault(page, []).append(title)
    return titles


def _sections(text: str, page: int, heading: str, titles: Sequence[str]) -> Iterator[Section]:
    """The text of a page, cut where the titles of its bookmarks stand."""
    start = 0
    for title in titles:
        words = r"\s+".join(map(re.escape, title.split()))
        if match := re.compile(words).search(text, start):
            if before := text[start : match.start()].strip():
                yield Section(f"{before}\n\n", page, heading)
            start, heading = match.start(), title
    yield Section(f"{text[start:]}\n\n", page, heading)


def _page_text(document: pypdfium2.PdfDocument, number: int) -> str:
    try:
        page = document[number]
    except pypdfium2.PdfiumError as error:
        raise UnreadableFile(f"a broken page {number + 1} ({error})") from error
    text_page = page.get_textpage()
    try:
        text = str(text_page.get_text_bounded())
    finally:
        text_page.close()
        page.close()
    return _HYPHENATED.sub(lambda match: _unhyphenated(match, text), text)


def _unhyphenated(match: re.Match[str], text: str) -> str:
    """A word that a line end divides; with its hyphen where the page has it so elsewhere."""
    whole = f"{match[1]}-{match[2]}"
    return whole if whole in text or not match[2].islower() else match[1] + match[2]
