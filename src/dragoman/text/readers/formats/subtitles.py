"""Subtitles (SRT, WebVTT) -> what is spoken; the time of a minute's first line is the heading."""

import re
from collections.abc import Iterator
from pathlib import Path

from dragoman.text.readers.contents import Content, FileText, ReaderConfig, Section
from dragoman.text.readers.formats.plain_text import encoding_of

_TIMES = re.compile(r"^\s*(?:(\d+):)?(\d{1,2}):(\d{2})[.,]\d{1,3}\s+-->")
_MARKUP = re.compile(r"<[^>]{0,200}>|\{\\[^}]{0,100}\}")
_OUTSIDE = ("WEBVTT", "NOTE", "STYLE", "REGION")


def read(path: Path, config: ReaderConfig) -> Iterator[Content]:
    """One text with a section for every minute in which something is spoken."""
    del config
    yield FileText()
    minute, lines, spoken = "", list[str](), False
    with path.open(encoding=encoding_of(path), errors="replace") as stream:
        for line in stream:
            if times := _TIMES.match(line):
                spoken = True
                now = f"{int(times[1] or 0):02}:{int(times[2]):02}"
                if now != minute and lines:
                    yield Section("\n".join(lines) + "\n", heading=minute)
                    lines = []
                minute = now
            elif not line.strip():
                spoken = False
            elif spoken and not line.startswith(_OUTSIDE):
                lines.append(_MARKUP.sub("", line).strip())
    if lines:
        yield Section("\n".join(lines), heading=minute)
