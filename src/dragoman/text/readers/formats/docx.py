"""DOCX -> paragraphs under their headings, tables row by row, foot- and endnotes.

Read from the XML itself: python-docx passes over inserted text of tracked changes, content controls
and text boxes.
"""

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section
from dragoman.text.readers.formats.zipped_xml import (
    attribute,
    core_properties,
    local,
    open_document,
)

BODY, NOTES = "word/document.xml", ("word/footnotes.xml", "word/endnotes.xml")
SKIPPED = frozenset({"Fallback", "del", "moveFrom", "instrText", "pPr", "sectPr"})
BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; a section begins at every heading."""
    with open_document(path, config) as document:
        title, language, metadata = core_properties(document)
        yield FileText(title=title, language=language, metadata=metadata)
        heading = ""
        for name in (BODY, *(notes for notes in NOTES if notes in document)):
            for level, text in _paragraphs(document.parse(name)):
                if level:
                    heading = text
                yield Section(f"{text}\n\n", heading=heading)


def _paragraphs(element: Element) -> Iterator[tuple[bool, str]]:
    """Paragraphs in order, each with whether it is a heading; a table's row is one paragraph."""
    for child in element:
        name = local(child)
        if name in SKIPPED:
            continue
        if name == "p":
            if text := _text(child).strip():
                yield _is_heading(child), text
        elif name == "tr":
            cells = (" ".join(t for _, t in _paragraphs(cell)) for cell in child)
            if row := " | ".join(filter(None, cells)):
                yield False, row
        else:
            yield from _paragraphs(child)


def _text(element: Element) -> str:
    pieces: list[str] = []
    for child in element:
        name = local(child)
        if name == "t":
            pieces.append(child.text or "")
        elif name in BREAKS:
            pieces.append(BREAKS[name])
        elif name not in SKIPPED:
            pieces.append(_text(child))
    return "".join(pieces)


def _is_heading(paragraph: Element) -> bool:
    for properties in paragraph:
        if local(properties) == "pPr":
            for child in properties:
                if local(child) == "outlineLvl":
                    return True
                if local(child) == "pStyle":
                    return attribute(child, "val").lower().startswith(("heading", "title"))
    return False
