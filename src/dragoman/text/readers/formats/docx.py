"""DOCX -> paragraphs under their headings, tables row by row, foot- and endnotes.

Read from the XML itself: python-docx passes over inserted text of tracked changes, content controls
and text boxes.
"""

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section
from dragoman.text.readers.formats.zipped_xml import (
    ZippedDocument,
    attribute,
    core_properties,
    local,
    open_document,
)

BODY, STYLES = "word/document.xml", "word/styles.xml"
NOTES = ("word/footnotes.xml", "word/endnotes.xml")
SKIPPED = frozenset({"Fallback", "del", "moveFrom", "instrText", "pPr", "sectPr"})
OUTLINE_LEVELS = frozenset("012345678")  # 9 is body text
BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; a section begins at every heading."""
    with open_document(path, config) as document:
        title, language, metadata = core_properties(document)
        yield FileText(title=title, language=language, metadata=metadata)
        heading, styles = "", _heading_styles(document)
        for name in (BODY, *(notes for notes in NOTES if notes in document)):
            for is_heading, text in _paragraphs(document.parse(name), styles):
                if is_heading:
                    heading = " ".join(text.split())
                yield Section(f"{text}\n\n", heading=heading)


def _heading_styles(document: ZippedDocument) -> frozenset[str]:
    """The ids of styles for headings; their names are English in every language of Word."""
    if STYLES not in document:
        return frozenset()
    ids: set[str] = set()
    for style in document.parse(STYLES):
        names = (attribute(child, "val").lower() for child in style if local(child) == "name")
        if any(name.startswith("heading ") or name == "title" for name in names):
            ids.add(attribute(style, "styleId"))
    return frozenset(ids)


def _paragraphs(element: Element, styles: frozenset[str]) -> Iterator[tuple[bool, str]]:
    """Paragraphs in order, each with whether it is a heading; a table's row is one paragraph."""
    for child in element:
        name = local(child)
        if name in SKIPPED:
            continue
        if name == "p":
            if text := _text(child).strip():
                yield _is_heading(child, styles), text
        elif name == "tr":
            cells = (" ".join(t for _, t in _paragraphs(cell, styles)) for cell in child)
            if row := " | ".join(filter(None, cells)):
                yield False, row
        else:
            yield from _paragraphs(child, styles)


def _text(element: Element) -> str:
    pieces: list[str] = []
    for child in element:
        name = local(child)
        if name == "t":
            pieces.append(child.text or "")
        elif name in BREAKS:
            pieces.append(BREAKS[name])
        elif name not in SKIPPED:
            pieces.append(_text(child) + ("\n" if name == "p" else ""))  # of a text box
    return "".join(pieces)


def _is_heading(paragraph: Element, styles: frozenset[str]) -> bool:
    for properties in paragraph:
        if local(properties) == "pPr":
            for child in properties:
                if local(child) == "outlineLvl" and attribute(child, "val") in OUTLINE_LEVELS:
                    return True
                if local(child) == "pStyle":
                    style = attribute(child, "val")
                    return style in styles or style.lower().startswith(("heading", "title"))
    return False
