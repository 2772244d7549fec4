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


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text with a section for every slide."""
    with open_document(path, config) as document:
        title, language, metadata = core_properties(document)
        names = _slides(document)
        yield FileText(title=title, language=language, metadata={**metadata, "pages": len(names)})
        for number, name in enumerate(names, start=1):
            texts = [*_paragraphs(document.parse(name))]
            notes = _notes(document, name)
            if notes:
                texts += _paragraphs(document.parse(notes))
            yield Section("\n".join(texts), page=number)


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


def _paragraphs(slide: Element) -> Iterator[str]:
    for element in slide.iter():
        if local(element) == "p":
            text = "".join(
                (child.text or "") if local(child) == "t" else "\n"
                for child in element.iter()
                if local(child) in ("t", "br")
            )
            if text.strip() and not text.strip().isdigit():  # a slide's number
                yield text.strip()
