"""ODT, ODS and ODP -> paragraphs under their headings, rows of tables, slides as pages."""

import zipfile
from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section, UnreadableFile
from dragoman.text.readers.formats.zipped_xml import (
    LARGEST_ENTRY,
    ZippedDocument,
    attribute,
    local,
    open_document,
    parse_xml,
)

MANIFEST = "META-INF/manifest.xml"
SKIPPED_NAMES = (
    "tracked-changes annotation forms sequence-decls page-number meta styles automatic-styles"
    " master-styles scripts settings font-face-decls binary-data desc"
)
SKIPPED = frozenset(SKIPPED_NAMES.split())
REPEATED = 1000  # columns that a row is read to


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; headings, sheets and slides begin sections."""
    if not zipfile.is_zipfile(path):
        tree = _flat(path)
        yield _beginning(tree)
        yield from _Sections().of(tree)
        return
    with open_document(path, config) as document:
        if _is_encrypted(document):
            raise UnreadableFile("a document that needs a password")
        meta = document.parse("meta.xml") if "meta.xml" in document else Element("none")
        yield _beginning(meta)
        yield from _Sections().of(document.parse("content.xml"))


def _flat(path: Path) -> Element:
    """The tree of a document that is one XML file."""
    if path.stat().st_size > LARGEST_ENTRY:
        raise UnreadableFile(f"more than {LARGEST_ENTRY:,} bytes of XML")
    return parse_xml(path.read_bytes(), path.name)


def _is_encrypted(document: ZippedDocument) -> bool:
    return MANIFEST in document and any(
        local(one) == "encryption-data" for one in document.parse(MANIFEST).iter()
    )


def _beginning(tree: Element) -> FileText:
    values: dict[str, str] = {}
    for meta in (one for one in tree.iter() if local(one) == "meta" and len(one)):
        values |= {local(child): (child.text or "").strip() for child in meta}
    author = values.get("creator") or values.get("initial-creator", "")
    return FileText(
        title=values.get("title", ""),
        language=values.get("language", ""),
        metadata={"author": author} if author else {},
    )


class _Sections:
    """Sections in the order of the document."""

    def __init__(self) -> None:
        self._heading, self._page = "", 0

    def of(self, element: Element) -> Iterator[Section]:
        for child in element:
            name = local(child)
            if name in SKIPPED:
                continue
            if name == "h":
                self._heading = _text(child).strip()
                yield self._section(self._heading)
            elif name == "p":
                yield self._section(_text(child))
            elif name == "table-row":
                cells = (_cell(cell) for cell in list(child)[:REPEATED])
                yield self._section(" | ".join(filter(None, cells)), "\n")
            else:
                if name == "page":
                    self._page, self._heading = self._page + 1, ""
                elif name == "table" and local(element) == "spreadsheet":
                    self._heading = attribute(child, "name")
                yield from self.of(child)

    def _section(self, text: str, end: str = "\n\n") -> Section:
        return Section(text.strip() + end if text.strip() else "", self._page, self._heading)


def _cell(cell: Element) -> str:
    return " ".join(filter(None, (_text(p).strip() for p in cell.iter() if local(p) == "p")))


def _text(element: Element) -> str:
    pieces = [element.text or ""]
    for child in element:
        name = local(child)
        if name == "s":
            pieces.append(" ")
        elif name == "tab":
            pieces.append("\t")
        elif name == "line-break":
            pieces.append("\n")
        elif name not in SKIPPED:
            pieces.append(_text(child) + ("\n" if name == "p" else ""))  # of a frame or a note
        pieces.append(child.tail or "")
    return "".join(pieces)
