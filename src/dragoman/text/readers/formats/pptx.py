"""PPTX -> the text of each slide, with its notes; slides are pages."""

import re
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

SLIDES = "ppt/_rels/presentation.xml.rels"
TITLES = ("title", "ctrTitle")
SKIPPED = frozenset({"Fallback"})  # a second form of what is read already


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text with a section for every slide."""
    with open_document(path, config) as document:
        title, language, metadata = core_properties(document)
        names = _slides(document)
        yield FileText(title=title, language=language, metadata={**metadata, "pages": len(names)})
        for number, name in enumerate(names, start=1):
            slide = document.parse(name)
            texts = [*_paragraphs(slide)]
            notes = _notes(document, name)
            if notes:
                texts += _paragraphs(document.parse(notes))
            yield Section("\n".join(texts), page=number, heading=_heading(slide))


def _slides(document: ZippedDocument) -> list[str]:
    """The slides in the order they are shown."""
    targets = _targets(document, SLIDES)
    shown = [
        targets.get(attribute(element, "id"), "")
        for element in document.parse("ppt/presentation.xml").iter()
        if local(element) == "sldId"
    ]
    listed = [f"ppt/{target}" for target in shown if f"ppt/{target}" in document]
    return listed or sorted(n for n in document.names if re.fullmatch(r"ppt/slides/\w+\.xml", n))


def _targets(document: ZippedDocument, name: str) -> dict[str, str]:
    if name not in document:
        return {}
    return {
        element.attrib.get("Id", ""): element.attrib.get("Target", "").removeprefix("/ppt/")
        for element in document.parse(name)
    }


def _notes(document: ZippedDocument, slide: str) -> str:
    folder, _, name = slide.rpartition("/")
    targets = _targets(document, f"{folder}/_rels/{name}.rels").values()
    notes = (f"ppt/{one.removeprefix('../')}" for one in targets if "notesSlide" in one)
    return next((one for one in notes if one in document), "")


def _heading(slide: Element) -> str:
    """The title of a slide."""
    for shape in slide.iter():
        if local(shape) == "sp" and any(
            local(one) == "ph" and attribute(one, "type") in TITLES for one in shape.iter()
        ):
            return " ".join(" ".join(_paragraphs(shape)).split())
    return ""


def _paragraphs(element: Element) -> Iterator[str]:
    """The paragraphs in an element in order; the row of a table is one."""
    for child in element:
        name = local(child)
        if name in SKIPPED:
            continue
        if name == "p":
            if text := _text(child).strip():
                yield text
        elif name == "tr":
            cells = (" ".join(_paragraphs(cell)) for cell in child)
            if row := " | ".join(filter(None, cells)):
                yield row
        else:
            yield from _paragraphs(child)


def _text(paragraph: Element) -> str:
    pieces: list[str] = []
    for child in paragraph:
        name = local(child)
        if name == "br":
            pieces.append("\n")
        elif name == "r" or (name == "fld" and attribute(child, "type") != "slidenum"):
            pieces += (one.text or "" for one in child if local(one) == "t")
    return "".join(pieces)
