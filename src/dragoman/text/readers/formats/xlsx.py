"""XLSX -> the rows of each sheet, by openpyxl; the first row names the columns where it is text."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from zipfile import BadZipFile

import openpyxl

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section, UnreadableFile
from dragoman.text.readers.formats.zipped_xml import core_properties, open_document

ROWS = 200  # of a section


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text with the sheets as headings; formulas are given by their last values."""
    with open_document(path, config) as document:  # which counts entries and expanded bytes
        title, language, metadata = core_properties(document)
        for name in document.names:
            if name.startswith("xl/") and name.endswith(".xml"):
                document.read(name)
    try:
        book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    except (ValueError, KeyError, BadZipFile, OSError) as error:
        raise UnreadableFile(f"a broken spreadsheet ({error})") from error
    yield FileText(title=title, language=language, metadata=metadata)
    try:
        for sheet in book.worksheets:
            lines: list[str] = []
            for row in sheet.iter_rows(values_only=True):
                if line := _line(row):
                    lines.append(line)
                if len(lines) == ROWS:
                    yield Section("\n".join(lines) + "\n", heading=sheet.title)
                    lines = []
            yield Section("\n".join(lines), heading=sheet.title)
    finally:
        book.close()


def _line(row: Sequence[object]) -> str:
    return " | ".join(str(value).strip() for value in row if value not in (None, ""))
