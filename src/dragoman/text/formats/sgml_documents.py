"""Documents of TREC and CLEF collections: SGML files with many ``<DOC>`` each, also compressed.

The id is the ``<DOCNO>``, the title the first ``<TITLE>``, ``<HEADLINE>``, ``<HEAD>``, ``<HL>`` or
``<TI>``. The text is that of all ``<TEXT>``, ``<TX>``, ``<LD>`` and ``<LP>``, or everything but id,
title and ``<DOCHDR>`` where a document has none of these. ``<LANG>`` or the attribute ``lang`` of
``<DOC>`` is the language. Other short elements (``<DATE>``, ``<PUB>``) are metadata.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dragoman.errors import InputError
from dragoman.text.files import Faults
from dragoman.text.formats.sgml_blocks import PROLOGUE, Block, plain_text, read_blocks
from dragoman.text.records import Location, check_id, check_language, parse_rows
from dragoman.types import Document

LONGEST_VALUE = 200  # letters of an element that becomes metadata
DOCUMENT_TAGS = re.compile(  # with which a file begins
    PROLOGUE + rb"<doc(\s[^<>]*)?>.*?<docno[\s>]", re.IGNORECASE | re.DOTALL
)


def read_documents(path: Path, faults: Faults) -> Iterator[Document]:
    """The documents of a file, or of all files below a folder, by their paths."""
    if not path.is_dir():
        yield from _read_file(path, faults)
        return
    files = [file for file in sorted(path.rglob("*")) if file.is_file()]
    if not files:
        raise InputError(path, None, found="no file", expected="files with <DOC>")
    for file in files:
        try:
            yield from _read_file(file, faults)
        except InputError as error:
            faults.report(error)


def _read_file(path: Path, faults: Faults) -> Iterator[Document]:
    blocks = read_blocks(path, faults, ("doc",))
    return parse_rows(path, faults, blocks, parse_document, identify=lambda one: one.doc_id)


def parse_document(location: Location, block: Block) -> Document:
    """The document in one ``<DOC>``."""
    markup = block.content
    numbers = _ID.findall(markup)
    if len(numbers) != 1:
        raise location.fault(
            found=f"a <DOC> with {len(numbers) or 'no'} <DOCNO>", expected="one <DOCNO>"
        )
    title = _TITLE.search(markup)
    texts = [found[1] for found in _TEXT.findall(markup)]
    rest = _TITLE.sub("", _HEADER.sub("", _ID.sub("", markup)), count=1)
    language = _LANGUAGE.search(rest)
    code = plain_text(language[1]) if language else block.attributes.get("lang", "")
    return Document(
        check_id(location, plain_text(numbers[0])),
        plain_text("\n".join(texts) if texts else rest),
        " ".join(plain_text(title[2]).split()) if title else "",
        check_language(location, code),
        _metadata(_LANGUAGE.sub("", _TEXT.sub("", rest))) if texts else {},
    )


def _metadata(markup: str) -> dict[str, Any]:
    """The short elements by their lower-case names; a list where a name is repeated."""
    values: dict[str, list[str]] = {}
    for name, content in _LEAF.findall(markup):
        value = " ".join(plain_text(content).split())
        if value and len(value) <= LONGEST_VALUE:
            values.setdefault(name.lower(), []).append(value)
    return {name: found[0] if len(found) == 1 else found for name, found in values.items()}


def _element(*names: str) -> re.Pattern[str]:
    """The elements with one of some names, as groups 1 (name) and 2; an open one ends the text."""
    pattern = rf"<({'|'.join(names)})(?:\s[^<>]*)?>(.*?)(?:</\1\s*>|\Z)"
    return re.compile(pattern, re.IGNORECASE | re.DOTALL)


_ID = re.compile(r"<DOCNO(?:\s[^<>]*)?>(.*?)</DOCNO\s*>", re.IGNORECASE | re.DOTALL)
_LANGUAGE = re.compile(r"<LANG(?:\s[^<>]*)?>([^<]*)</LANG\s*>", re.IGNORECASE)
_TITLE = _element("TITLE", "HEADLINE", "HEAD", "HL", "TI")
_TEXT = _element("TEXT", "TX", "LD", "LP")
_HEADER = _element("DOCHDR", "DOCOLDNO", "DOCID")
_LEAF = re.compile(r"<([A-Za-z][\w-]*)(?:\s[^<>]*)?>([^<]*)</\1\s*>", re.IGNORECASE)
