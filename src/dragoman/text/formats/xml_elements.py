"""XML files -> the elements with one name, streamed with their line numbers in constant memory.

The standard library's ``iterparse`` gives no line numbers, so the elements are built from SAX
events. Entity definitions and external references are refused.
"""

from collections.abc import Iterator
from pathlib import Path
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers.expat import XML_PARAM_ENTITY_PARSING_NEVER, XMLParserType
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler
from xml.sax.xmlreader import AttributesImpl, Locator

from defusedxml.common import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from dragoman.errors import InputError
from dragoman.text.files import LONGEST_LINE, open_bytes

_CHUNK = 1 << 16


class _Parser(DefusedExpatParser):
    """Ignores a DOCTYPE that names an external file, as TMX files do."""

    _parser: XMLParserType  # set by the standard library's class

    def reset(self) -> None:
        super().reset()
        self._parser.SetParamEntityParsing(XML_PARAM_ENTITY_PARSING_NEVER)


class _Collector(ContentHandler):
    """Builds a tree for every element called ``name`` and drops everything else."""

    def __init__(self, name: str, locator: Locator) -> None:
        super().__init__()
        self.ready: list[tuple[int, Element]] = []
        self.line = self.size = 0  # of the current element: where it begins, its characters so far
        self._name, self._locator = name, locator
        self._builder: TreeBuilder | None = None
        self._depth = 0

    def startElement(self, name: str, attrs: AttributesImpl) -> None:  # noqa: N802 - SAX's name
        if self._builder is None and name == self._name:
            self._builder, self._depth, self.size = TreeBuilder(), 0, 0
            self.line = self._locator.getLineNumber() or 0
        if self._builder is not None:
            self._builder.start(name, dict(attrs.items()))
            self._depth += 1

    def characters(self, content: str) -> None:
        if self._builder is not None:
            self._builder.data(content)
            self.size += len(content)

    def endElement(self, name: str) -> None:  # noqa: N802
        if self._builder is None:
            return
        self._builder.end(name)
        self._depth -= 1
        if self._depth == 0:
            self.ready.append((self.line, self._builder.close()))
            self._builder, self.size = None, 0


def read_elements(path: Path, name: str) -> Iterator[tuple[int, Element]]:
    """Line number and tree of every element called ``name``, which includes any prefix.

    Broken XML is always an error: nothing after it can be trusted.
    """
    parser = _Parser()
    collector = _Collector(name, parser)
    parser.setContentHandler(collector)
    read = elements = 0
    try:
        with open_bytes(path) as stream:
            while chunk := stream.read(_CHUNK):
                parser.feed(chunk)
                read += len(chunk)
                elements += len(collector.ready)
                yield from collector.ready
                collector.ready.clear()
                if collector.size > LONGEST_LINE:
                    raise InputError(
                        path,
                        collector.line,
                        found=f"an <{name}> above {LONGEST_LINE:,} characters",
                        expected="elements that fit in memory",
                    )
        if read == 0:
            raise InputError(path, None, found="an empty file", expected="XML")
        parser.close()
    except SAXParseException as error:
        raise InputError(
            path,
            error.getLineNumber(),
            found=f"broken XML ({error.getMessage()})",
            expected="well-formed XML",
        ) from error
    except (SAXException, DefusedXmlException, ValueError, LookupError) as error:
        raise InputError(
            path, None, found=f"XML that is not read ({error})", expected="plain XML"
        ) from error
    if elements == 0:
        raise InputError(path, None, found=f"no <{name}> element", expected="at least one")
