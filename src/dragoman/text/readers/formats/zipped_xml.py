"""Documents that are zip files of XML: entries with limits, parsed without entities."""

import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring

from dragoman.text.readers.contents import ReaderConfig, UnreadableFile

LARGEST_ENTRY = 256 << 20  # bytes of XML that are parsed as one tree
DEEPEST = 200  # elements inside elements
BROKEN = (
    *(zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, OSError, zlib.error),
    *(lzma.LZMAError, UnicodeDecodeError),
)


class ZippedDocument:
    """The entries of a zipped document; what they expand to is counted as it is read."""

    def __init__(self, archive: zipfile.ZipFile, config: ReaderConfig) -> None:
        self.names = archive.namelist()
        if len(self.names) > config.members:
            raise UnreadableFile(f"more than {config.members:,} entries in one document")
        self._archive, self._left = archive, config.expanded_bytes

    def __contains__(self, name: object) -> bool:
        return name in self._archive.NameToInfo

    def read(self, name: str) -> bytes:
        """An entry's bytes."""
        try:
            with self._archive.open(name) as stream:
                data = stream.read(min(self._left, LARGEST_ENTRY) + 1)
        except KeyError as error:
            raise UnreadableFile(f"no entry {name!r} in it") from error
        except BROKEN as error:
            raise UnreadableFile(f"a broken or encrypted entry {name!r} ({error})") from error
        self._left -= len(data)
        if self._left < 0 or len(data) > LARGEST_ENTRY:
            raise UnreadableFile(f"an entry {name!r} that expands beyond every limit")
        return data

    def parse(self, name: str) -> Element:
        """An entry as an XML tree; entities and external references are refused."""
        return parse_xml(self.read(name), name)

    def check_size(self, folder: str) -> None:
        """Refuse a document whose XML in a folder is larger than allowed.

        Declared sizes are a true bound: ``zipfile`` never unpacks more than an entry declares.
        """
        entries = (one for one in self._archive.infolist() if one.filename.startswith(folder))
        sizes = [one.file_size for one in entries if one.filename.endswith(".xml")]
        if sum(sizes) > self._left or max(sizes, default=0) > LARGEST_ENTRY:
            raise UnreadableFile(f"entries in {folder!r} that expand beyond every limit")


def parse_xml(data: bytes, name: str) -> Element:
    """A tree; entities, external references and trees deeper than ``DEEPEST`` are refused."""
    try:
        tree: Element = fromstring(data)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise UnreadableFile(f"broken XML in {name!r} ({error})") from error
    level, depth = [tree], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise UnreadableFile(f"more than {DEEPEST} elements inside each other in {name!r}")
        level = [child for element in level for child in element]
    return tree


@contextmanager
def open_document(path: Path, config: ReaderConfig) -> Iterator[ZippedDocument]:
    """A zipped document; a broken or encrypted one is unreadable."""
    try:
        with zipfile.ZipFile(path) as archive:
            yield ZippedDocument(archive, config)
    except BROKEN as error:
        raise UnreadableFile(f"a broken or encrypted zip file ({error})") from error


def local(element: Element) -> str:
    """An element's name without its namespace."""
    return str(element.tag).rpartition("}")[2]


def attribute(element: Element, name: str) -> str:
    """An attribute by its name, whatever its namespace; "" where there is none."""
    values = (v for key, v in element.attrib.items() if key.rpartition("}")[2] == name)
    return next(values, "")


def core_properties(document: ZippedDocument) -> tuple[str, str, dict[str, str]]:
    """Title, language and author of an Office document."""
    name = "docProps/core.xml"
    if name not in document:
        return "", "", {}
    values = {local(child): (child.text or "").strip() for child in document.parse(name)}
    metadata = {
        ours: values[theirs]
        for theirs, ours in (
            ("creator", "author"),
            ("subject", "subject"),
            ("keywords", "keywords"),
        )
        if values.get(theirs)
    }
    return values.get("title", ""), values.get("language", ""), metadata
