"""reStructuredText -> plain text under its headings, by docutils; its fields are metadata.

Directives that read files or run code are turned off.
"""

from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from docutils.core import publish_doctree

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section, Value
from dragoman.text.readers.formats.plain_text import decoded_chunks, encoding_of

LARGEST = 4 << 20  # letters that are parsed; a longer file is read as plain text
SETTINGS = {
    "file_insertion_enabled": False,
    "raw_enabled": False,
    "report_level": 5,
    "halt_level": 6,
    "warning_stream": False,
    "_disable_config": True,
}
TEXT_BLOCKS = (
    *(nodes.paragraph, nodes.literal_block, nodes.term, nodes.line, nodes.caption),
    *(nodes.attribution, nodes.rubric, nodes.doctest_block),
)


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; its title is the first heading."""
    del config
    text = "".join(decoded_chunks(path, encoding_of(path)))
    if len(text) > LARGEST:
        yield FileText()
        yield Section(text)
        return
    tree = publish_doctree(text, settings_overrides=SETTINGS)
    title = next((node.astext() for node in tree.findall(nodes.title)), "")
    yield FileText(title=title, metadata=_fields(tree))
    for node in tree.findall(lambda one: isinstance(one, TEXT_BLOCKS)):
        if not isinstance(node.parent, nodes.system_message):
            yield Section(f"{node.astext()}\n\n", heading=_heading(node))


def _fields(tree: nodes.document) -> dict[str, Value]:
    fields: dict[str, Value] = {}
    for field in tree.findall(nodes.field):
        fields[field[0].astext()] = field[1].astext()
    for name, kind in (("author", nodes.author), ("date", nodes.date)):
        for node in tree.findall(kind):
            fields.setdefault(name, node.astext())
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
