"""MediaWiki's SQL dumps -> rows, streamed: ``INSERT INTO`` lines are parsed, not executed.

In: ``xxwiki-DATE-TABLE.sql[.gz]``. Out: the wanted columns of every row. The order of columns is
read from the file's ``CREATE TABLE``, because the tables have changed over the years.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from dragoman.errors import InputError
from dragoman.text.files import LONGEST_LINE, open_bytes

COLUMN = re.compile(r"^\s+`(\w+)` ")
# a string, or anything else up to the next comma or bracket; then that comma or bracket
VALUE = re.compile(r"(?:'((?:[^'\\]|\\.)*+)'|([^,()']*+))([,)])", re.DOTALL)
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "Z": "\x1a"}


def columns(path: Path) -> list[str]:
    """The names of the table's columns, in order."""
    names: list[str] = []
    for _, line in _lines(path):
        if line.startswith("INSERT INTO"):
            break
        if match := COLUMN.match(line):
            names.append(match[1])
    if not names:
        raise InputError(path, None, found="no CREATE TABLE", expected="a MediaWiki SQL dump")
    return names


def rows(path: Path, wanted: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The ``wanted`` columns of every row, as text."""
    names = columns(path)
    missing = [name for name in wanted if name not in names]
    if missing:
        raise InputError(
            path, None, found=f"the columns {', '.join(names)}", expected=", ".join(wanted)
        )
    indices = [names.index(name) for name in wanted]
    for number, line in _lines(path):
        if line.startswith("INSERT INTO"):
            for row in _values(path, number, line):
                if len(row) != len(names):
                    raise InputError(
                        path, number, found=f"{len(row)} values", expected=f"{len(names)}"
                    )
                yield tuple(row[index] for index in indices)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with open_bytes(path) as stream:
        for number, raw in enumerate(iter(lambda: stream.readline(LONGEST_LINE), b""), start=1):
            if len(raw) >= LONGEST_LINE:
                raise _fault(path, number, f"a line above {LONGEST_LINE:,} bytes")
            yield number, raw.decode("utf-8", errors="replace")


def _fault(path: Path, number: int, found: str) -> InputError:
    return InputError(
        path,
        number,
        found=found,
        expected="rows of values in brackets, to the end of a whole dump",
        advice="Compare its checksum with the published one, or fetch it again.",
    )


def _values(path: Path, number: int, line: str) -> Iterator[list[str]]:
    """The rows of one ``INSERT INTO `table` VALUES (1,'a'),(2,'b');``."""
    position = line.find("(", line.find(" VALUES "))
    while True:
        row: list[str] = []
        position += 1
        closed = False
        while not closed:
            match = VALUE.match(line, position)
            if match is None:
                raise _fault(path, number, repr(line[position : position + 40]))
            text, bare, end = match.groups()
            row.append(_unescape(text) if text is not None else bare)
            closed = end == ")"
            position = match.end()
        yield row
        if line.startswith(",(", position):
            position += 1
        elif line.startswith(";", position):
            return
        else:
            raise _fault(path, number, repr(line[position : position + 40]))


def _unescape(text: str) -> str:
    if "\\" not in text:
        return text
    return ESCAPE.sub(lambda match: ESCAPED.get(match[1], match[1]), text)
