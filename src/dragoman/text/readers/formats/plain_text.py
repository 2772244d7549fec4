"""Plain text in any encoding -> sections; what was decided about the encoding is metadata."""

from collections.abc import Iterator
from pathlib import Path

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section
from dragoman.text.readers.encoding import decoded_chunks, encoding_of


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; its encoding is in the metadata where it is not UTF-8."""
    del config
    encoding = encoding_of(path)
    named = {} if encoding in ("utf-8", "utf-8-sig") else {"encoding": encoding}
    yield FileText(metadata=named)
    for text in decoded_chunks(path, encoding):
        yield Section(text)
