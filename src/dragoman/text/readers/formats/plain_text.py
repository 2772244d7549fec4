"""Plain text in any encoding -> sections; its encoding is in the metadata, unless UTF-8."""

from collections.abc import Iterator
from pathlib import Path

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section, Value
from dragoman.text.readers.encoding import decoded_chunks, encoding_of, noted


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text."""
    del config
    encoding = encoding_of(path)
    metadata: dict[str, Value] = {}
    for note in noted(encoding):
        yield note
        metadata["encoding"] = note.encoding
    yield FileText(metadata=metadata)
    for text in decoded_chunks(path, encoding):
        yield Section(text)
