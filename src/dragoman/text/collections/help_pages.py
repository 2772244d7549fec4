"""A LibreOffice help page (HTML) -> title, paragraphs by id, and the pages it links to.

The pages of all languages come from one source, so a paragraph has the same id in each; those
without an id are identified by their class. Both are numbered, because ids repeat within a page.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from html.parser import HTMLParser

BLOCKS = frozenset({"p", "h1", "h2", "h3", "h4", "h5", "h6"})
BODY = "DisplayArea"
# A text for macOS follows the text for all other systems, and code is in no language.
SKIPPED_CLASSES = frozenset({"MAC", "howtogetheader", "related"})
SKIPPED_TAGS = frozenset({"pre", "script", "style"})
VOID_TAGS = frozenset({"area", "base", "br", "col", "hr", "img", "input", "link", "meta"})

Key = tuple[str, int]  # id or class, and its number among those on the page


@dataclass(frozen=True, slots=True)
class HelpPage:
    """Title, paragraphs and links of a page."""

    title: str
    paragraphs: Mapping[Key, str]  # in reading order
    headings: frozenset[Key]
    links: frozenset[str]  # paths below the language's folder


class _HelpPageParser(HTMLParser):
    """Collects the title, and the blocks and links of the body."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self.paragraphs: dict[Key, str] = {}
        self.headings: set[Key] = set()
        self.links: set[str] = set()
        self._open: list[str] = []  # tags, outermost first
        self._body_depth = self._skip_depth = 0  # of the tag that opened it; 0 outside
        self._block: list[str] | None = None
        self._name, self._is_heading = "", False
        self._seen: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID_TAGS:
            self._add(" ")
            return
        self._open.append(tag)
        depth = len(self._open)
        attributes = {name: value or "" for name, value in attrs}
        if attributes.get("id") == BODY:
            self._body_depth = depth
        if not self._body_depth or self._skip_depth:
            return
        if tag in SKIPPED_TAGS or attributes.get("class") in SKIPPED_CLASSES:
            self._skip_depth = depth
        elif tag in BLOCKS:
            self._end_block()
            self._block = []
            self._name = attributes.get("id") or attributes.get("class") or tag
            self._is_heading = tag != "p"
        elif tag == "a" and "/text/" in attributes.get("href", ""):
            self.links.add(attributes["href"].partition("/text/")[2].partition("#")[0])

    def handle_endtag(self, tag: str) -> None:
        if tag not in self._open:
            return
        while self._open:
            depth, closed = len(self._open), self._open.pop()
            if depth == self._skip_depth:
                self._skip_depth = 0
            if closed in BLOCKS:
                self._end_block()
            if depth == self._body_depth:
                self._body_depth = 0
            if closed == tag:
                break

    def handle_data(self, data: str) -> None:
        if self._open and self._open[-1] == "title":
            self.title += data
        self._add(data)

    def _add(self, data: str) -> None:
        if self._block is not None and not self._skip_depth:
            self._block.append(data)

    def _end_block(self) -> None:
        if self._block is None:
            return
        text = " ".join("".join(self._block).split())
        self._block = None
        self._seen[self._name] += 1
        key = self._name, self._seen[self._name]
        if text:
            self.paragraphs[key] = text
        if text and self._is_heading:
            self.headings.add(key)


def parse_page(html: str) -> HelpPage:
    """The page in ``html``."""
    reader = _HelpPageParser()
    reader.feed(html)
    reader.close()
    return HelpPage(
        " ".join(reader.title.split()),
        reader.paragraphs,
        frozenset(reader.headings),
        frozenset(reader.links),
    )
