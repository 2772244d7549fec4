"""EPUB -> its chapters in reading order, under their headings."""

import posixpath
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import unquote

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section, UnreadableFile
from dragoman.text.readers.formats.html import parsed, sections
from dragoman.text.readers.formats.zipped_xml import ZippedDocument, local, open_document

CONTAINER = "META-INF/container.xml"


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; its sections are those of its chapters."""
    with open_document(path, config) as document:
        package = _package(document)
        tree = document.parse(package)
        values: dict[str, str] = {}
        for element in (child for part in tree if local(part) == "metadata" for child in part):
            values.setdefault(local(element), (element.text or "").strip())
        author = values.get("creator", "")
        yield FileText(
            title=values.get("title", ""),
            language=values.get("language", ""),
            metadata={"author": author} if author else {},
        )
        items = {e.attrib.get("id", ""): e for e in tree.iter() if local(e) == "item"}
        folder = posixpath.dirname(package)
        for reference in (e for e in tree.iter() if local(e) == "itemref"):
            item = items.get(reference.attrib.get("idref", ""))
            if item is not None and "html" in item.attrib.get("media-type", ""):
                href = posixpath.join(folder, unquote(item.attrib.get("href", "")))
                yield from _chapter(document, posixpath.normpath(href))


def _package(document: ZippedDocument) -> str:
    for element in document.parse(CONTAINER).iter():
        if local(element) == "rootfile" and "full-path" in element.attrib:
            return element.attrib["full-path"]
    raise UnreadableFile(f"no package named in {CONTAINER!r}")


def _chapter(document: ZippedDocument, name: str) -> Iterator[Section]:
    """The sections of a chapter; without headings of its own, its title is the heading."""
    data = document.read(name)
    encoding = "utf-16" if data.startswith((BOM_UTF16_BE, BOM_UTF16_LE)) else "utf-8-sig"
    page = parsed(data.decode(encoding, "replace"))
    for section in sections(page.blocks):
        yield replace(section, heading=section.heading or page.title)
