"""RTF -> plain text, by striprtf; title and author from the document's information group."""

import re
from collections.abc import Iterator
from pathlib import Path

from striprtf.striprtf import rtf_to_text

from dragoman.text.readers.contents import (
    Content,
    FileText,
    NoTextInFile,
    ReaderConfig,
    Section,
    UnreadableFile,
    Value,
)

LARGEST = 64 << 20  # bytes; pictures in RTF are text too
_CODE_PAGE = re.compile(r"\\ansicpg\d{1,5}")
_FIELD = re.compile(r"\{\\(title|author|subject|keywords)\s((?:[^{}]|\{[^{}]{0,200}\}){0,2000})\}")
_PICTURE = re.compile(r"(?<=[\s}])[0-9a-fA-F\r\n]{512,}")  # bytes of a picture as digits


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text."""
    del config
    if path.stat().st_size > LARGEST:
        raise UnreadableFile(f"more than {LARGEST:,} bytes of RTF")
    source = _PICTURE.sub("", path.read_text(encoding="latin-1"))
    text = _plain(source)
    code_page = _CODE_PAGE.search(source[:1000])
    prefix = "{\\rtf1\\ansi" + (code_page[0] if code_page else "") + " "
    fields: dict[str, Value] = {
        field[1]: _plain(f"{prefix}{field[2]}}}").strip() for field in _FIELD.finditer(source)
    }
    title = str(fields.pop("title", ""))
    if not text.strip() and not title:
        raise NoTextInFile("a document without text")
    yield FileText(title=title, metadata={name: value for name, value in fields.items() if value})
    yield Section(text)


def _plain(source: str) -> str:
    try:
        text: str = rtf_to_text(source, errors="replace")  # type: ignore[no-untyped-call]
    except (ValueError, TypeError, LookupError, OverflowError) as error:
        raise UnreadableFile(f"broken RTF ({error})") from error
    return text
