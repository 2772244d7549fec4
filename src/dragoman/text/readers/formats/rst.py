"""reStructuredText -> plain text under its headings, by docutils; its fields are metadata.

Directives that read files or run code are turned off. The content of a directive that docutils does
not know, as Sphinx has many, is taken as it is written.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from docutils.core import publish_doctree

from dragoman.text.readers.contents import (
    Content,
    FileText,
    ReaderConfig,
    Section,
    UnreadableFile,
    Value,
)
from dragoman.text.readers.encoding import decoded_chunks, encoding_of, noted

LARGEST = 4 << 20  # letters that are parsed; a longer file is read as plain text
SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 6,
    "warning_stream": False,
    "_disable_config": True,
}
BLOCKS = (
    *(nodes.paragraph, nodes.literal_block, nodes.term, nodes.line, nodes.caption, nodes.title),
    *(nodes.subtitle, nodes.attribution, nodes.rubric, nodes.doctest_block, nodes.row),
)
_UNKNOWN = re.compile(r'Unknown directive type "')
_DIRECTIVE = re.compile(r"\s*\.\. [\w:.+-]+::[ \t]*")
_OPTION = re.compile(r"\s+:[\w-]+:.*")


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; its title is the first heading."""
    del config
    encoding = encoding_of(path)
    yield from noted(encoding)
    text = "".join(decoded_chunks(path, encoding))
    if len(text) > LARGEST:
        yield FileText()
        yield Section(text)
        return
    try:
        tree = publish_doctree(text, settings_overrides=SETTINGS)
    except RecursionError as error:
        raise UnreadableFile("blocks that are nested too deeply") from error
    title = next((node.astext() for node in tree.findall(nodes.title)), "")
    yield FileText(title=title, metadata=_fields(tree))
    for node in tree.findall(lambda one: isinstance(one, BLOCKS)):
        if block := _text(node).strip():
            yield Section(f"{block}\n\n", heading=_heading(node))


def _text(node: nodes.Element) -> str:
    """What is shown of a block; nothing where it is part of another one."""
    if isinstance(node.parent, nodes.system_message):
        message = node.parent.astext()
        is_source = isinstance(node, nodes.literal_block) and _UNKNOWN.search(message)
        return _content(node.astext()) if is_source else ""
    if isinstance(node, nodes.row):
        return " | ".join(cell.astext().replace("\n\n", " ") for cell in node.children)
    return "" if _is_in_row(node) else str(node.astext())


def _content(source: str) -> str:
    """The source of a directive without its name and options."""
    lines = source.splitlines()
    first = _DIRECTIVE.sub("", lines[0]) if lines else ""
    rest = (line.strip() for line in lines[1:] if not _OPTION.fullmatch(line))
    return "\n".join((first, *rest))


def _is_in_row(node: nodes.Node) -> bool:
    parent = node.parent
    while parent is not None:
        if isinstance(parent, nodes.row | nodes.field):
            return True
        parent = parent.parent
    return False


def _fields(tree: nodes.document) -> dict[str, Value]:
    fields: dict[str, Value] = {}
    for field in tree.findall(nodes.field):
        fields[field[0].astext()] = field[1].astext()
    for info in tree.findall(nodes.docinfo):
        for node in info.children:
            if not isinstance(node, nodes.field):
                fields[node.tagname] = node.astext()
    return fields


def _heading(node: nodes.Node) -> str:
    parent = node.parent
    while parent is not None:
        if isinstance(parent, nodes.section | nodes.document):
            for child in parent.children:
                if isinstance(child, nodes.title):
                    return str(child.astext())
        parent = parent.parent
    return ""
