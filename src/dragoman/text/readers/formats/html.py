"""HTML -> the main text of a page under its headings, without menus, banners and footers.

Boilerplate is what elements, roles and usual class names declare as such, and runs of blocks that
are nearly only links. Where ``<main>`` or ``<article>`` hold most of the text, only they are taken.
Of 307 pages of two manuals in 26 languages (``benchmarks/readers.py``) it keeps 99.1 % of the
letters (the rest are tables of contents), every heading and 4 % of the navigation bars; trafilatura
keeps 75 % of the letters, 4 % of the headings and 6 % of the bars, and takes 2.7 times as long.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from dragoman.text.readers.contents import (
    Content,
    FileText,
    NoTextInFile,
    ReaderConfig,
    Section,
    UnreadableFile,
    Value,
)
from dragoman.text.readers.encoding import declared_encoding, encoding_of, noted
from dragoman.text.readers.formats.html_blocks import BlockPage, HtmlBlock, read_blocks

LARGEST = 64 << 20  # bytes
LEAST_SHARE = 0.2  # of the letters that the main text must have; else all is taken
MOST = 0.6  # share of the letters that makes <main> or <article> the main text
LINKED = 0.8  # share of a block's letters that makes it a link
LONGEST_LINK = 100  # letters
MENU = 3  # links in a row
FIELDS = ("author", "description", "keywords")
_CHARSET = re.compile(
    rb"""(?:charset\s*=\s*|<\?xml[^>]{0,80}encoding\s*=\s*)["']?\s*([-\w]+)""", re.IGNORECASE
)


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; the page's own title and language."""
    del config
    if path.stat().st_size > LARGEST:
        raise UnreadableFile(f"more than {LARGEST:,} bytes of HTML")
    declared = _declared(path)
    encoding = declared or encoding_of(path)
    if not declared:
        yield from noted(encoding)
    page = parsed(path.read_text(encoding=encoding, errors="replace"))
    if not page.blocks and not page.title:
        raise NoTextInFile("a page without text")
    metadata: dict[str, Value] = {
        name: page.properties[name] for name in FIELDS if name in page.properties
    }
    language = page.language or page.properties.get("content-language", "")
    yield FileText(title=page.title, language=language, metadata=metadata)
    yield from sections(main_blocks(page.blocks))


def parsed(html: str) -> BlockPage:
    """The blocks of a page; a page that no parser reads is unreadable."""
    try:
        return read_blocks(html)
    except ValueError as error:
        raise UnreadableFile(f"broken HTML ({error})") from error


def main_blocks(blocks: Sequence[HtmlBlock]) -> Sequence[HtmlBlock]:
    """The blocks of the main text; with menus, or all, where that would be too little."""
    inner = [block for block in blocks if not block.is_boilerplate]
    for part in ([b for b in inner if b.is_main], [b for b in inner if b.is_article]):
        if part and _letters(part) >= MOST * _letters(inner):
            inner = part
            break
    if _letters(inner) < LEAST_SHARE * _letters(blocks):
        return blocks
    without = _without_menus(inner)
    return without if _letters(without) >= LEAST_SHARE * _letters(inner) else inner


def _letters(blocks: Sequence[HtmlBlock]) -> int:
    return sum(len(block.text) for block in blocks)


def _without_menus(blocks: Sequence[HtmlBlock]) -> list[HtmlBlock]:
    """The blocks without runs of at least ``MENU`` links."""
    others: list[HtmlBlock] = []
    run: list[HtmlBlock] = []
    for block in blocks:
        if _is_link(block):
            run.append(block)
            continue
        others += run if len(run) < MENU else []
        run = []
        others.append(block)
    return others + (run if len(run) < MENU else [])


def _is_link(block: HtmlBlock) -> bool:
    letters = sum(not letter.isspace() for letter in block.text)
    return not block.level and len(block.text) <= LONGEST_LINK and block.linked >= LINKED * letters


def sections(blocks: Sequence[HtmlBlock]) -> Iterator[Section]:
    """A section for every heading; it begins with the heading."""
    heading, pieces = "", list[str]()
    for block in blocks:
        if block.level:
            if pieces:
                yield Section("".join(pieces), heading=heading)
            heading, pieces = " ".join(block.text.split()), []
        pieces += (block.text, "\n" if block.is_row else "\n\n")
    if pieces:
        yield Section("".join(pieces), heading=heading)


def _declared(path: Path) -> str:
    """The encoding that a page declares; "" where it declares none, or has a mark that decides."""
    with path.open("rb") as stream:
        head = stream.read(4096)
    if head.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return ""
    declared = _CHARSET.search(head)
    return declared_encoding(declared[1].decode("ascii")) or "" if declared else ""
