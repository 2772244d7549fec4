"""Plain text in any encoding -> sections; what was decided about the encoding is metadata."""

import codecs
from collections.abc import Iterator
from pathlib import Path

from charset_normalizer import from_bytes

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section, UnreadableFile

SAMPLE = 1 << 16  # bytes that decide
CHUNK = 1 << 16
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; its encoding is in the metadata where it is not UTF-8."""
    del config
    encoding = encoding_of(path)
    named = {} if encoding in ("utf-8", "utf-8-sig") else {"encoding": encoding}
    yield FileText(metadata=named)
    for text in decoded_chunks(path, encoding):
        yield Section(text)


def decoded_chunks(path: Path, encoding: str) -> Iterator[str]:
    """The text of a file, some letters at a time."""
    decode = codecs.getincrementaldecoder(encoding)(errors="replace").decode
    with path.open("rb") as stream:
        while chunk := stream.read(CHUNK):
            yield decode(chunk)
        yield decode(b"", True)


def encoding_of(path: Path) -> str:
    """The encoding of a file by its mark, by UTF-8's own rules, or by its letters."""
    with path.open("rb") as stream:
        sample = stream.read(SAMPLE)
    for mark, encoding in _MARKS:
        if sample.startswith(mark):
            return encoding
    try:
        codecs.getincrementaldecoder("utf-8")().decode(sample)
    except UnicodeDecodeError:
        match = from_bytes(sample).best()
        if match is None:
            raise UnreadableFile("bytes that are text in no known encoding") from None
        return match.encoding
    return "utf-8"
