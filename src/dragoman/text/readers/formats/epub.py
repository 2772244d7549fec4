"""EPUB -> its chapters in reading order; a chapter's title is the heading."""

import posixpath
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from dragoman.text.formats.html import read_page
from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section, UnreadableFile
from dragoman.text.readers.formats.zipped_xml import ZippedDocument, local, open_document

CONTAINER = "META-INF/container.xml"


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text with a section for every chapter."""
    with open_document(path, config) as document:
        package = _package(document)
        tree = document.parse(package)
        values: dict[str, str] = {}
        for element in tree.iter():
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
                yield _chapter(document, posixpath.join(folder, unquote(item.attrib["href"])))


def _package(document: ZippedDocument) -> str:
    for element in document.parse(CONTAINER).iter():
        if local(element) == "rootfile" and "full-path" in element.attrib:
            return element.attrib["full-path"]
    raise UnreadableFile(f"no package named in {CONTAINER!r}")


def _chapter(document: ZippedDocument, name: str) -> Section:
    html = document.read(posixpath.normpath(name)).decode("utf-8", "replace")
    page = read_page(html)
    return Section(page.text, heading=page.title)
