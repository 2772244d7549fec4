"""TREC topics -> queries: ``<top>`` in classic SGML, ``<topic>`` in XML.

The text of a query is the title (``<title>`` or ``<query>``); the description where there is no
title, and the whole topic where it has no parts. Description and narrative are metadata: ``desc``
and ``narr``. The id is ``<num>`` (without "Number:"), ``<identifier>``, or the attribute ``number``
or ``id``. The attribute ``lang``, or a prefix as in CLEF's ``<EN-title>``, is the language.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from dragoman.text.files import Faults
from dragoman.text.formats.sgml_blocks import Block, plain_text, read_blocks
from dragoman.text.records import (
    Location,
    check_id,
    check_language,
    check_query_text,
    parse_rows,
)
from dragoman.types import Query

_PARTS = {
    "num": "num",
    "identifier": "num",
    "title": "title",
    "query": "title",
    "desc": "desc",
    "description": "desc",
    "question": "desc",
    "narr": "narr",
    "narrative": "narr",
}
_PART = re.compile(rf"<(/?)(?:([A-Za-z]{{2}})-)?({'|'.join(_PARTS)})(?:\s[^<>]*)?>", re.IGNORECASE)
_LABEL = re.compile(r"\A\s*(?:number|topic|description|narrative)\s*:", re.IGNORECASE)


def read_queries(path: Path, faults: Faults) -> Iterator[Query]:
    """The topics of a file, in order."""
    blocks = read_blocks(path, faults, ("top", "topic"))
    return parse_rows(path, faults, blocks, _parse_topic, identify=lambda one: one.query_id)


def _parse_topic(location: Location, block: Block) -> Query:
    parts, prefix = _parts(block.content)
    attributes = block.attributes
    number = parts.pop("num", "") or attributes.get("number", "") or attributes.get("id", "")
    text = parts.get("title") or parts.get("desc") or ("" if parts else plain_text(block.content))
    language = attributes.get("lang", "") or attributes.get("xml:lang", "") or prefix
    return Query(
        check_id(location, number),
        check_query_text(location, " ".join(text.split())),
        check_language(location, language),
        {name: " ".join(parts[name].split()) for name in ("desc", "narr") if parts.get(name)},
    )


def _parts(content: str) -> tuple[dict[str, str], str]:
    """The text of each part, which ends where the next one begins, and the prefix of the tags."""
    parts: dict[str, str] = {}
    tags = [*_PART.finditer(content)]
    ends = [tag.start() for tag in tags[1:]] + [len(content)] * bool(tags)
    for tag, end in zip(tags, ends, strict=True):
        name, text = _PARTS[tag[3].lower()], content[tag.end() : end]
        if not tag[1] and name not in parts:
            text = text.partition("<")[0] if name == "num" else text
            parts[name] = plain_text(_LABEL.sub("", text, count=1))
    prefix = next((tag[2].lower() for tag in tags if tag[2]), "")
    return parts, prefix
