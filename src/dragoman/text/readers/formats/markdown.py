"""Markdown -> plain text under its headings, by markdown-it-py; front matter is metadata."""

from collections.abc import Iterator, Sequence
from datetime import date
from math import isfinite
from pathlib import Path
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token

from dragoman.text.formats.html import read_page
from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section, Value
from dragoman.text.readers.encoding import decoded_chunks, encoding_of, noted

FENCE = "---"
LONGEST_MATTER = 1 << 16  # letters
DEEPEST = 50  # blocks inside blocks
LARGEST = 16 << 20  # letters that are parsed; a longer file is read as plain text
BLOCKS = frozenset({"paragraph_close", "heading_close", "list_item_close", "tr_close", "hr"})


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text; its title is that of the front matter, else its first heading."""
    del config
    encoding = encoding_of(path)
    yield from noted(encoding)
    text = "".join(decoded_chunks(path, encoding))
    matter, body = front_matter(text)
    if len(body) > LARGEST:
        yield FileText(metadata=matter)
        yield Section(body)
        return
    tokens = MarkdownIt("commonmark", {"maxNesting": DEEPEST}).enable("table").parse(body)
    sections = [*_sections(tokens)]
    title = matter.pop("title", None) or next((s.heading for s in sections if s.heading), "")
    language = matter.pop("lang", None) or matter.pop("language", None) or ""
    yield FileText(title=str(title), language=str(language), metadata=matter)
    yield from sections


def front_matter(text: str) -> tuple[dict[str, Value], str]:
    """The metadata between two lines of dashes at the top, and the rest."""
    head, fence, rest = text.lstrip("\ufeff").partition(f"\n{FENCE}")
    if not fence or not head.startswith(f"{FENCE}\n"):
        return {}, text
    if len(head) > LONGEST_MATTER:
        return {}, text
    try:
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(head[len(FENCE) :])):
            return {}, text  # references can repeat a value without end
        fields = yaml.safe_load(head[len(FENCE) :])
    except (yaml.YAMLError, RecursionError, ValueError, LookupError, TypeError, AttributeError):
        return {}, text
    if not isinstance(fields, dict):
        return {}, text
    named = {str(key): _value(value) for key, value in fields.items() if value is not None}
    return named, rest.partition("\n")[2]


def _value(value: Any) -> Value:  # noqa: ANN401 - whatever YAML holds
    if isinstance(value, int) and abs(value) >= 1 << 63:
        return str(value)
    if isinstance(value, bool | int | str) or (isinstance(value, float) and isfinite(value)):
        return value
    if isinstance(value, list):
        return [str(one) for one in value]
    return value.isoformat() if isinstance(value, date) else str(value)


def _sections(tokens: Sequence[Token]) -> Iterator[Section]:
    heading, in_heading, lines = "", False, list[str]()
    for token in tokens:
        if token.type == "heading_open":
            if lines:
                yield Section("".join(lines), heading=heading)
            in_heading, lines = True, []
        elif token.type == "heading_close":
            in_heading = False
            lines.append("\n\n")
        elif token.type == "inline":
            text = inline_text(token.children or [])
            heading = text if in_heading else heading
            lines.append(text)
        elif token.type in ("fence", "code_block"):
            lines.append(f"{token.content}\n")
        elif token.type == "html_block":
            lines.append(f"{_html_text(token.content)}\n\n")
        elif token.type in ("td_close", "th_close"):
            lines.append(" | ")
        elif token.type in BLOCKS:
            lines.append("\n" if token.type == "tr_close" or token.hidden else "\n\n")
    if lines:
        yield Section("".join(lines), heading=heading)


def _html_text(html: str) -> str:
    try:
        return read_page(html).text
    except ValueError:
        return ""


def inline_text(tokens: Sequence[Token]) -> str:
    """What a reader sees of a line: words, code and the descriptions of images."""
    return "".join(
        "\n" if token.type in ("softbreak", "hardbreak") else token.content
        for token in tokens
        if token.type in ("text", "code_inline", "image", "softbreak", "hardbreak")
    )
