"""XLSX -> the rows of each sheet, by openpyxl."""

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, time
from pathlib import Path
from typing import Any

import openpyxl

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section, UnreadableFile
from dragoman.text.readers.formats.zipped_xml import BROKEN, core_properties, open_document

ROWS = 200  # of a section


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text with the sheets as headings; formulas are given by their last values."""
    with open_document(path, config) as document:
        document.check_size("xl/")
        title, language, metadata = core_properties(document)
    yield FileText(title=title, language=language, metadata=metadata)
    try:
        with _open_book(path) as book:
            for sheet in book.worksheets:
                yield from _sections(sheet)
    except (*BROKEN, ValueError, LookupError, TypeError, AttributeError, SyntaxError) as error:
        raise UnreadableFile(f"a broken spreadsheet ({type(error).__name__}: {error})") from error


@contextmanager
def _open_book(path: Path) -> Iterator[Any]:
    with warnings.catch_warnings():  # of parts that openpyxl does not keep
        warnings.simplefilter("ignore")
        book = openpyxl.load_workbook(path, read_only=True, data_only=True, keep_links=False)
    try:
        yield book
    finally:
        book.close()


def _sections(sheet: Any) -> Iterator[Section]:  # noqa: ANN401 - openpyxl has no types
    sheet.reset_dimensions()  # which a file may declare as it likes
    lines: list[str] = []
    for row in sheet.iter_rows(values_only=True):
        if line := _line(row):
            lines.append(line)
        if len(lines) == ROWS:
            yield Section("\n".join(lines) + "\n", heading=sheet.title)
            lines = []
    yield Section("\n".join(lines), heading=sheet.title)


def _line(row: Sequence[object]) -> str:
    return " | ".join(_shown(value) for value in row if value is not None and value != "")


def _shown(value: object) -> str:
    if isinstance(value, datetime) and value.time() == time():
        value = value.date()
    return str(value).strip()
