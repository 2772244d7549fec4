"""HTML -> the main text with headings and tables, apart from menus, by trafilatura.

Where trafilatura keeps next to nothing of a page, its whole text is taken.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import trafilatura

from dragoman.text.formats.html import HtmlPage, read_page
from dragoman.text.readers.contents import (
    Content,
    FileText,
    NoTextInFile,
    ReaderConfig,
    Section,
    UnreadableFile,
)
from dragoman.text.readers.formats.plain_text import encoding_of

LARGEST = 64 << 20  # bytes
LEAST_SHARE = 0.1  # of the page's letters that its main text must have to be trusted
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([-\w]+)""", re.IGNORECASE)


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; the page's own title and language."""
    del config
    if path.stat().st_size > LARGEST:
        raise UnreadableFile(f"more than {LARGEST:,} bytes of HTML")
    html = decoded(path)
    try:
        page = read_page(html)
    except ValueError as error:
        raise UnreadableFile(f"broken HTML ({error})") from error
    if not page.text and not page.title:
        raise NoTextInFile("a page without text")
    yield FileText(title=page.title, language=page.language)
    yield Section(main_text(html, page))


def main_text(html: str, page: HtmlPage) -> str:
    """The main text of a page, without menus; all of it where that is too little."""
    text = trafilatura.extract(
        html, include_tables=True, include_comments=False, favor_recall=True, no_fallback=True
    )
    return text if text and len(text) >= LEAST_SHARE * len(page.text) else page.text


def decoded(path: Path) -> str:
    """A page's text by its declared charset, else by its bytes."""
    with path.open("rb") as stream:
        head = stream.read(4096)
    encoding = encoding_of(path)
    declared = _CHARSET.search(head)
    if declared and encoding not in ("utf-8-sig", "utf-16", "utf-32"):
        encoding = declared[1].decode("ascii")
    try:
        return path.read_text(encoding=encoding, errors="replace")
    except LookupError:  # no encoding has the declared name
        return path.read_text(encoding=encoding_of(path), errors="replace")
