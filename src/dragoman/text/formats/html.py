"""HTML -> title, text and language, with the standard library's parser.

Text inside script, style and the like is left out; block elements break lines; other white space
is collapsed, as in a browser.
"""

import re
from dataclasses import dataclass
from html.parser import HTMLParser

_SPACE = re.compile(r"\s+")
_HIDDEN = frozenset({"script", "style", "noscript", "template", "svg", "math"})
_BLOCK_NAMES = (
    "address article aside blockquote body br caption dd details div dl dt fieldset figcaption"
    " figure footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section summary table"
    " tbody td tfoot th thead title tr ul"
)
_BLOCKS = frozenset(_BLOCK_NAMES.split())


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """The title, visible text and declared language of an HTML file."""

    title: str
    text: str
    language: str  # as written in the page
    language_line: int


class _HtmlTextParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title: list[str] = []
        self.text: list[str] = []
        self.language, self.language_line = "", 1
        self._hidden = 0
        self._in_title = self._titled = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "html":
            named = dict(attrs)
            self.language = (named.get("lang") or named.get("xml:lang") or "").strip()
            self.language_line = self.getpos()[0]
        if tag in _HIDDEN:
            self._hidden += 1
        elif tag == "title" and not self._hidden and not self._titled:
            self._in_title = True
        elif tag in _BLOCKS:
            self.text.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _HIDDEN:
            self._hidden = max(0, self._hidden - 1)
        elif tag == "title" and self._in_title:
            self._in_title, self._titled = False, True
        elif tag in _BLOCKS:
            self.text.append("\n")

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title.append(data)
        elif not self._hidden:
            self.text.append(_SPACE.sub(" ", data))


def read_page(html: str) -> HtmlPage:
    """The page in ``html``; ``ValueError`` where the parser fails."""
    reader = _HtmlTextParser()
    try:
        reader.feed(html)
        reader.close()
    except AssertionError as error:  # raised by the parser at <![unknown[
        raise ValueError(str(error)) from error
    lines = (" ".join(line.split()) for line in "".join(reader.text).split("\n"))
    return HtmlPage(
        title=" ".join("".join(reader.title).split()),
        text="\n".join(line for line in lines if line),
        language=reader.language,
        language_line=reader.language_line,
    )
