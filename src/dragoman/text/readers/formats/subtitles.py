"""Subtitles (SRT, WebVTT) -> what is spoken; the time of a minute's first line is the heading."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from dragoman.text.readers.contents import Content, FileText, NoTextInFile, ReaderConfig, Section
from dragoman.text.readers.encoding import encoding_of, noted

LONGEST_LINE = 1 << 16  # letters
_TIMES = re.compile(r"^\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{2})[.,]\d{1,3}\s+-->")
_MARKUP = re.compile(r"<[^>]{0,200}>|\{\\[^}]{0,100}\}")


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text with a section for every minute in which something is spoken."""
    del config
    minute, lines, spoken, begun = "", list[str](), False, False
    encoding = encoding_of(path)
    yield from noted(encoding)
    with path.open(encoding=encoding, errors="replace") as stream:
        while line := stream.readline(LONGEST_LINE):
            if times := _TIMES.match(line):
                if not begun:
                    yield FileText()
                if spoken and lines and lines[-1].isdecimal():
                    lines.pop()  # the number of this line, without a blank line before it
                spoken = begun = True
                now = f"{int(times[1] or 0):02}:{int(times[2]):02}"
                if now != minute and lines:
                    yield Section("\n".join(lines) + "\n", heading=minute)
                    lines = []
                minute = now
            elif not line.strip():
                spoken = False
            elif spoken and (shown := unescape(_MARKUP.sub("", line)).strip()):
                lines.append(shown)
    if lines:
        yield Section("\n".join(lines), heading=minute)
    if not begun:
        raise NoTextInFile("no line with a time")
