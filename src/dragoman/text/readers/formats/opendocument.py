"""ODT, ODS and ODP -> paragraphs under their headings, rows of tables, slides as pages."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section
from dragoman.text.readers.formats.zipped_xml import ZippedDocument, attribute, local, open_document

SKIPPED = frozenset({"tracked-changes", "annotation", "forms", "sequence-decls", "page-number"})
REPEATED = 1000  # columns that a row is read to


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; headings, sheets and slides begin sections."""
    with open_document(path, config) as document:
        yield _beginning(document)
        yield from _Sections().of(document.parse("content.xml"))


def _beginning(document: ZippedDocument) -> FileText:
    if "meta.xml" not in document:
        return FileText()
    values = {local(e): (e.text or "").strip() for e in document.parse("meta.xml").iter()}
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
                elif name == "table" and attribute(child, "name"):
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
            pieces.append(" " * min(int(attribute(child, "c") or 1), REPEATED))
        elif name == "tab":
            pieces.append("\t")
        elif name == "line-break":
            pieces.append("\n")
        elif name not in SKIPPED:
            pieces.append(_text(child))
        pieces.append(child.tail or "")
    return "".join(pieces)
