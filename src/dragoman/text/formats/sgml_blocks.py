"""SGML files of TREC -> blocks with one tag, such as ``<DOC>`` or ``<top>``, streamed.

This markup is no XML: a file has many roots, tags inside a block may be left open, and ampersands
may be bare. Tags match in any case. Text that is not UTF-8 is decoded as ``readers.encoding``
detects it, because the collections of TREC and CLEF are in older encodings.
"""

import html
import io
import re
from collections.abc import Collection, Iterator
from functools import partial
from pathlib import Path
from typing import NamedTuple

from dragoman.errors import InputError
from dragoman.text.files import LONGEST_LINE, Faults, open_bytes
from dragoman.text.readers.contents import UnreadableFile
from dragoman.text.readers.encoding import SAMPLE, encoding_of_bytes

LONGEST_BLOCK = LONGEST_LINE  # letters
PROLOGUE = rb"\s*(<[?!][^<>]*>\s*)*(<\w+(\s[^<>]*)?>\s*)?"  # declarations and a root element
TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_ATTRIBUTE = re.compile(r"""([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""")
_BLANKS = re.compile(r"[^\S\n]+")
_EMPTY_LINES = re.compile(r" ?\n\s*")


class Block(NamedTuple):
    """One element: its first line, its attributes by lower-case name, what is between its tags."""

    line: int
    attributes: dict[str, str]
    content: str


def read_blocks(path: Path, faults: Faults, tags: Collection[str]) -> Iterator[tuple[int, Block]]:
    """The blocks with one of ``tags``, each after its line; one that does not end is a fault."""
    names = "|".join(map(re.escape, tags))
    edge = re.compile(rf"<(/?)(?:{names})(\s[^<>]*)?>", re.IGNORECASE)
    begin, attributes = 0, ""  # the line of the open block, 0 outside
    pieces: list[str] = []
    size, empty = 0, True

    def unclosed(found: str) -> InputError:
        return InputError(path, begin, found=found, expected="its closing tag before the next")

    for number, line in _lines(path):
        position = 0
        for match in edge.finditer(line):
            empty = False
            if not match[1]:
                if begin:
                    faults.report(unclosed("a block without an end"))
                begin, attributes, pieces, size = number, match[2] or "", [], 0
            elif begin:
                pieces.append(line[position : match.start()])
                yield begin, Block(begin, _attributes(attributes), "".join(pieces))
                begin = 0
            position = match.end()
        if begin:
            pieces.append(line[position:])
            size += len(line) - position
            if size > LONGEST_BLOCK:
                raise unclosed(f"a block above {LONGEST_BLOCK:,} letters")
    if begin:
        faults.report(unclosed("a block without an end"))
    if empty:
        expected = " or ".join(f"<{tag}>" for tag in tags)
        raise InputError(path, None, found=f"no {expected}", expected="at least one")


def plain_text(markup: str) -> str:
    """Text without tags and entities, without blanks at the ends of lines and empty lines."""
    text = html.unescape(TAG.sub(" ", markup))
    return _EMPTY_LINES.sub("\n", _BLANKS.sub(" ", text.replace("\r", "\n"))).strip()


def _attributes(text: str) -> dict[str, str]:
    return {
        name.lower(): html.unescape(double or single or bare)
        for name, double, single, bare in _ATTRIBUTE.findall(text)
    }


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    encoding = _encoding(path)
    with open_bytes(path) as stream:
        lines = io.TextIOWrapper(stream, encoding=encoding, errors="replace")
        try:
            yield from enumerate(iter(partial(lines.readline, LONGEST_LINE), ""), start=1)
        except UnicodeError as error:  # some decoders of several bytes cannot replace
            found = f"bytes that are no text in {encoding} ({error})"
            raise InputError(path, None, found=found, expected="text with tags") from error


def _encoding(path: Path) -> str:
    """The encoding, by the beginning or by the first part with letters beyond ASCII."""
    with open_bytes(path) as stream:
        first = part = stream.read(SAMPLE)
        while part and part.isascii():
            part = stream.read(SAMPLE)
    try:
        return encoding_of_bytes(part or first)
    except UnreadableFile as error:
        raise InputError(path, None, found=str(error), expected="text with tags") from error
