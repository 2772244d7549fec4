"""Sections -> sections without encoded data, minified code, numbers alone and repeated lines.

Each rule needs much evidence, because what is left out cannot be found. All of them look for runs
of ASCII or for lines without letters, except that for page headers, which looks for repetition, and
that for long lines, of which the first ten stay. Of 1,500 pages of two manuals in 26 languages
(10.5 million letters) they leave out eight signatures.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from dragoman.text.readers.contents import Section

ENCODED, DUMP, MINIFIED = "encoded data", "hexadecimal dump", "minified code"
WORDLESS, REPEATED = "text without words", "repeated page headers"
REPEATED_LINES = "repeated lines"
UNDECODABLE = "undecodable bytes, read as \ufffd"
LONG_LINE, MOST_REPEATS = 40, 10  # letters of a line, and how often it stays in a text
LONGEST_LINE = 2000  # letters; a longer line may be minified
LONG_TOKENS = 30  # mean length of what is between spaces in minified code
WORDLESS_RUN = 2000  # letters of consecutive lines without a word
EDGE = 2  # lines at the top and the bottom of a page that may repeat
FEWEST_PAGES, PAGE_SHARE = 5, 0.4  # on which a header repeats; even and odd pages may differ

_DIGITS = "[A-Za-z0-9+/=_-]"
_ENCODED = re.compile(
    rf"(?<!{_DIGITS}){_DIGITS}{{200,}}"
    rf"|(?:^{_DIGITS}{{40,}}[ \t]*\n){{3,}}(?:^{_DIGITS}+=*[ \t]*$)?",
    re.MULTILINE,
)
_PAIRS = r"(?:[0-9a-fA-F]{2,8}(?:[ \t]+|$)){8,}"
_DUMP = re.compile(
    rf"(?:^(?:[0-9a-fA-F]{{4,16}}:?[ \t]+)?{_PAIRS}[^\n]*(?:\n|\Z)){{4,}}", re.MULTILINE
)
_WORD = re.compile(r"[^\W\d_]{2}")
_NUMBER = re.compile(r"\d+")
_CODE_MARKS = frozenset("{}()[];:=,.<>+-*/&|!?\"'\\$")


def clean(sections: Sequence[Section]) -> tuple[list[Section], Counter[str]]:
    """The sections without such text, and how many letters were left out for which reason."""
    left_out = Counter({UNDECODABLE: sum(section.text.count("\ufffd") for section in sections)})
    repeats = Counter[str]()
    cleaned = []
    for section in _without_headers(sections, left_out):
        text = _without_repeats(_without_data(section.text, left_out), repeats, left_out)
        cleaned.append(replace(section, text=text))
    return cleaned, +left_out


def _without_data(text: str, left_out: Counter[str]) -> str:
    """A text without encoded data, dumps, minified code and runs of lines without words."""

    def remove(reason: str, is_sure: Callable[[str], bool]) -> Callable[[re.Match[str]], str]:
        def replacement(match: re.Match[str]) -> str:
            if not is_sure(match[0]):
                return match[0]
            left_out[reason] += len(match[0])
            return "\n" if "\n" in match[0] else ""

        return replacement

    text = _ENCODED.sub(remove(ENCODED, _is_encoded), text)
    text = _DUMP.sub(remove(DUMP, _is_dump), text)
    return _without_lines(text, left_out).strip()


def _is_encoded(data: str) -> bool:
    """Whether letters are mixed as in base64 or hexadecimal, unlike those of paths and names."""
    letters = "".join(data.split())
    digits = sum("0" <= one <= "9" for one in letters)
    capitals = sum("A" <= one <= "Z" for one in letters)
    if all(one in "0123456789abcdefABCDEF" for one in letters):
        return digits >= 0.3 * len(letters) and len({*letters}) >= 8
    small = sum("a" <= one <= "z" for one in letters)
    return (
        capitals >= 0.2 * len(letters)
        and small >= 0.2 * len(letters)
        and digits >= 0.05 * len(letters)
    )


def _is_dump(data: str) -> bool:
    """Whether numbers are bytes rather than the figures of a table: letters a to f among them."""
    pairs = re.findall(r"\b[0-9a-fA-F]{2,8}\b", data)
    return sum(not one.isdecimal() for one in pairs) >= 0.2 * len(pairs)


def _without_lines(text: str, left_out: Counter[str]) -> str:
    """A text without minified lines and runs of lines without words; itself where it has none."""
    lines, wordless = list[str](), list[str]()
    changed = False

    def flush() -> bool:
        size = sum(map(len, wordless))
        if size >= WORDLESS_RUN:
            left_out[WORDLESS] += size
        else:
            lines.extend(wordless)
        wordless.clear()
        return size >= WORDLESS_RUN

    for line in text.split("\n"):
        if len(line) > LONGEST_LINE and _is_minified(line):
            left_out[MINIFIED] += len(line)
            changed = True
        elif _WORD.search(line):
            changed |= flush()
            lines.append(line)
        else:
            wordless.append(line)
    changed |= flush()
    return "\n".join(lines) if changed else text


def _without_repeats(text: str, repeats: Counter[str], left_out: Counter[str]) -> str:
    """A text without long lines that it has had many times; itself where it has none."""
    lines = text.split("\n")
    if len(lines) + repeats.total() <= MOST_REPEATS:
        repeats.update(line for line in lines if len(line) >= LONG_LINE)
        return text
    remaining = []
    for line in lines:
        if len(line) >= LONG_LINE:
            repeats[line] += 1
            if repeats[line] > MOST_REPEATS:
                left_out[REPEATED_LINES] += len(line)
                continue
        remaining.append(line)
    return text if len(remaining) == len(lines) else "\n".join(remaining).strip()


def _is_minified(line: str) -> bool:
    return (
        len(line) >= LONG_TOKENS * len(line.split())
        and len(line.encode("ascii", "ignore")) >= 0.9 * len(line)
        and sum(map(line.count, _CODE_MARKS)) >= 0.1 * len(line)
    )


def _without_headers(sections: Sequence[Section], left_out: Counter[str]) -> Sequence[Section]:
    """The sections without lines that many pages begin or end with, page numbers aside."""
    lines = [section.text.split("\n") for section in sections]
    rows: dict[int, list[tuple[int, int]]] = {}  # page -> section and row of lines with text
    for which, section in enumerate(sections):
        if section.page:
            filled = ((which, row) for row, line in enumerate(lines[which]) if line.strip())
            rows.setdefault(section.page, []).extend(filled)
    if len(rows) < FEWEST_PAGES:
        return sections
    edges = [(*of[:EDGE], *of[-EDGE:]) for of in rows.values() if len(of) > 2 * EDGE]
    counts = Counter[str]()
    for positions in edges:
        counts.update({_without_numbers(lines[which][row]) for which, row in positions})
    least = max(FEWEST_PAGES, PAGE_SHARE * len(rows))
    for which, row in (position for positions in edges for position in positions):
        if counts[_without_numbers(lines[which][row])] >= least:
            left_out[REPEATED] += len(lines[which][row])
            lines[which][row] = ""
    return [
        replace(section, text="\n".join(of).strip())
        for section, of in zip(sections, lines, strict=True)
    ]


def _without_numbers(line: str) -> str:
    return _NUMBER.sub("#", " ".join(line.split()))
