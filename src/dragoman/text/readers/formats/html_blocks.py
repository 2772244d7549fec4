"""HTML -> blocks of text in order: paragraphs, headings, rows of tables, items of lists.

A block remembers what tells main text from menus: how much of it is links, and whether it is inside
navigation, ``<main>`` or ``<article>``.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser

LONGEST_CELL = 400  # letters; longer text in a cell is laid out by the table, not listed in it
DEEPEST = 1000  # open elements that are followed
_SPACE = re.compile(r"\s+")
_HIDDEN_NAMES = "script style noscript template svg math iframe object select textarea"
_VOID_NAMES = "area base br col embed hr img input link meta source track wbr"
_BLOCK_NAMES = (
    "h1 h2 h3 h4 h5 h6 address article aside blockquote body caption dd details div dl dt fieldset"
    " figcaption figure footer form header hr html li main nav ol p pre section summary table tbody"
    " tfoot thead tr ul"
)
_ROLE_NAMES = "navigation banner contentinfo search menu menubar complementary"
_HIDDEN, _VOID = frozenset(_HIDDEN_NAMES.split()), frozenset(_VOID_NAMES.split())
_BLOCKS, _ROLES = frozenset(_BLOCK_NAMES.split()), frozenset(_ROLE_NAMES.split())
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
# an element -> those that it ends without an end tag, and those beyond which none is ended
_ENDED_BY = {
    "li": (frozenset({"li"}), frozenset({"ul", "ol"})),
    "p": (frozenset({"p"}), frozenset({"div", "body", "td", "section", "article"})),
    "dt": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "dd": (frozenset({"dt", "dd"}), frozenset({"dl"})),
    "tr": (frozenset({"tr", "td", "th"}), frozenset({"table"})),
    "td": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
    "th": (frozenset({"td", "th"}), frozenset({"tr", "table"})),
}
_BOILERPLATE = frozenset({"nav", "footer", "aside"})
_NAMES = re.compile(
    r"(?:doc|site|page|top|main|global)?[-_]?(?:nav|navbar|navigation|menu|banner|footer)"
    r"|nav-?(?:header|footer|links?)|breadcrumbs?|pagination|pager|skip-link|sphinxsidebar|related"
    r"|cookie-?(?:banner|notice|consent)|edit-?section|mw-editsection|toc|noprint",
    re.IGNORECASE,
)


@dataclass(slots=True)
class HtmlBlock:
    """A line or paragraph of a page."""

    text: str
    linked: int  # letters in links
    level: int  # 1 to 6 of a heading, else 0
    is_row: bool  # of a table or list
    is_boilerplate: bool
    is_main: bool  # inside <main>
    is_article: bool


@dataclass(slots=True)
class BlockPage:
    """A page, cut into blocks."""

    title: str = ""
    language: str = ""
    properties: dict[str, str] = field(default_factory=dict)  # of <meta>
    blocks: list[HtmlBlock] = field(default_factory=list)


@dataclass(slots=True)
class _Element:
    tag: str
    is_hidden: bool
    is_boilerplate: bool
    is_main: bool
    is_article: bool


class _BlockParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = BlockPage()
        self._open = [_Element("", False, False, False, False)]
        self._pieces: list[str] = []
        self._letters = self._linked = self._links = self._level = self._preformatted = 0
        self._rows = 0  # open rows of tables
        self._is_item = self._in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _VOID:
            self._handle_void(tag, attrs)
            return
        if tag == "title" and not self.page.title:
            self._in_title = True
        if tag == "html" or (tag == "body" and not self.page.language):
            named = dict(attrs)
            self.page.language = (named.get("lang") or named.get("xml:lang") or "").strip()
        if tag in _ENDED_BY:
            self._close_before(tag)
        if tag in _BLOCKS:
            self._break(tag)
        if tag in ("td", "th") and self._letters:
            self._add(" | ")
        self._rows += tag == "tr"
        self._links += tag == "a"
        self._preformatted += tag == "pre"
        if tag in _HEADINGS:
            self._level = int(tag[1])
        self._is_item = tag == "li" or (self._is_item and tag not in _BLOCKS)
        if len(self._open) < DEEPEST:
            self._open.append(self._element(tag, attrs))

    def _element(self, tag: str, attrs: list[tuple[str, str | None]]) -> _Element:
        around = self._open[-1]
        hidden, boilerplate = around.is_hidden or tag in _HIDDEN, around.is_boilerplate
        if attrs and not (hidden or boilerplate):
            named = dict(attrs)
            hidden = "hidden" in named or "display:none" in _unspaced(named.get("style"))
            boilerplate = _is_boilerplate(tag, named)
        is_main, is_article = around.is_main or tag == "main", around.is_article or tag == "article"
        outside = not (is_main or is_article)
        boilerplate = boilerplate or tag in _BOILERPLATE or (tag == "header" and outside)
        return _Element(tag, hidden, boilerplate, is_main, is_article)

    def _handle_void(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self._add("\n")
        elif tag == "hr":
            self._break(tag)
        elif tag == "meta":
            named = dict(attrs)
            name = (named.get("name") or named.get("http-equiv") or "").lower()
            if name and (content := named.get("content")):
                self.page.properties.setdefault(name, " ".join(content.split()))

    def handle_endtag(self, tag: str) -> None:
        if tag == "title":
            self._in_title = False
        for depth in range(len(self._open) - 1, 0, -1):
            if self._open[depth].tag == tag:
                self._close(depth)
                return

    def _close_before(self, tag: str) -> None:
        """Close what the beginning of an element ends without an end tag."""
        ended, outer = _ENDED_BY[tag]
        for depth in range(len(self._open) - 1, max(len(self._open) - 20, 0), -1):
            if self._open[depth].tag in outer:
                return
            if self._open[depth].tag in ended:
                self._close(depth)
                return

    def _close(self, depth: int) -> None:
        """Close the open elements from a depth on."""
        while len(self._open) > depth:
            tag = self._open[-1].tag
            self._rows -= tag == "tr"
            if tag in _BLOCKS:
                self._break(tag)
            self._links -= tag == "a"
            self._preformatted -= tag == "pre"
            self._open.pop()

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.page.title += data
        elif not self._open[-1].is_hidden:
            if not self._preformatted:
                data = _SPACE.sub(" ", data)
            letters = len(data) - data.count(" ")
            self._letters += letters
            self._linked += letters if self._links > 0 else 0
            self._pieces.append(data)

    def _add(self, separator: str) -> None:
        if self._pieces and not self._open[-1].is_hidden:
            self._pieces.append(separator)

    def _break(self, tag: str) -> None:
        """End the block, unless it is a short one in a cell of a table."""
        if self._rows > 0 and tag not in ("tr", "table") and self._letters < LONGEST_CELL:
            self._add(" ")
            return
        self.flush(is_row=tag in ("tr", "li") or self._is_item)

    def flush(self, *, is_row: bool = False) -> None:
        """Add what was read since the last block as one."""
        lines = (" ".join(line.split()) for line in "".join(self._pieces).split("\n"))
        text = "\n".join(line for line in lines if line).strip(" |")
        if self._preformatted > 0:
            text = "".join(self._pieces).strip("\n").rstrip()
        if text.strip():
            around = self._open[-1]
            self.page.blocks.append(
                HtmlBlock(
                    text,
                    self._linked,
                    self._level,
                    is_row,
                    around.is_boilerplate,
                    around.is_main,
                    around.is_article,
                )
            )
        self._pieces, self._letters, self._linked, self._level = [], 0, 0, 0


def _unspaced(style: str | None) -> str:
    return style.replace(" ", "").lower() if style else ""


def _is_boilerplate(tag: str, named: Mapping[str, str | None]) -> bool:
    if tag in ("html", "body", "main", "article"):
        return False
    if (named.get("role") or "").lower() in _ROLES or named.get("aria-hidden") == "true":
        return True
    names = f"{named.get('class') or ''} {named.get('id') or ''}".split()
    return any(_NAMES.fullmatch(name) for name in names)


def read_blocks(html: str) -> BlockPage:
    """The blocks of a page; ``ValueError`` where the parser fails."""
    parser = _BlockParser()
    try:
        parser.feed(html)
        parser.close()
    except AssertionError as error:  # raised by the parser at <![unknown[
        raise ValueError(str(error)) from error
    parser.flush()
    parser.page.title = " ".join(parser.page.title.split())
    return parser.page
