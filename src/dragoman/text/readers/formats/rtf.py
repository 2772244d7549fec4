"""RTF -> plain text, by striprtf."""

from collections.abc import Iterator
from pathlib import Path

from striprtf.striprtf import rtf_to_text

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section, UnreadableFile

LARGEST = 64 << 20  # bytes; pictures in RTF are text too


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text."""
    del config
    if path.stat().st_size > LARGEST:
        raise UnreadableFile(f"more than {LARGEST:,} bytes of RTF")
    source = path.read_text(encoding="latin-1")
    text: str = rtf_to_text(source, errors="replace")  # type: ignore[no-untyped-call]
    yield FileText()
    yield Section(text)
