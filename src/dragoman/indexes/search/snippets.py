"""A document and the words that were met -> the passage worth showing, with the words marked."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Collection
from dataclasses import dataclass
from itertools import islice

ELLIPSIS = "…"
SNIPPET = 200  # characters of a snippet by default
RUN = re.compile(r"\w+")
DOTS = str.maketrans("İı", "ii")  # one letter, whatever the case and the language


@dataclass(frozen=True, slots=True)
class Snippet:
    """A passage on one line, the character spans of the met words in it, and its origin."""

    text: str
    marks: tuple[tuple[int, int], ...]
    start: int = 0  # offsets of the passage in the document's text
    end: int = 0
    met: int = 0  # offset of the first met word in it; ``start`` where no word is met


def snippet(text: str, words: Collection[str], width: int = SNIPPET) -> Snippet:
    """The passage of at most ``width`` characters that holds most of ``words``, cut at spaces.

    Where no word is met, the beginning of the text.
    """
    line = " ".join(text.split())
    matches = word_spans(line, words)
    start = _densest(matches, width) if matches else 0
    start, end = _at_spaces(line, start, width)
    head = ELLIPSIS if start > 0 else ""
    tail = ELLIPSIS if end < len(line) else ""
    shift = len(head) - start
    inside = [(a, b) for a, b in matches if start <= a and b <= end]
    marks = tuple((a + shift, b + shift) for a, b in inside)
    first, last = _original(text, line, start), _original(text, line, max(end - 1, start))
    met = _original(text, line, inside[0][0]) if inside else first
    return Snippet(f"{head}{line[start:end]}{tail}", marks, first, min(last + 1, len(text)), met)


def _original(text: str, line: str, offset: int) -> int:
    """The offset in ``text`` of a letter of ``line``, which is the same words on one line."""
    before = line.count(" ", 0, offset)
    word = next(islice(re.finditer(r"\S+", text), before, None), None)
    return word.start() + offset - (line.rfind(" ", 0, offset) + 1) if word else 0


def word_spans(line: str, words: Collection[str]) -> list[tuple[int, int]]:
    """Start and end of every occurrence of one of ``words``, in characters."""
    whole = {_lower(word) for word in words if RUN.fullmatch(word)}
    runs = RUN.finditer(line) if whole else ()
    spans = [match.span() for match in runs if _lower(match[0]) in whole]
    spans += _composed_spans(line, [word for word in words if word and not RUN.fullmatch(word)])
    shown: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if (not shown or start >= shown[-1][1]) and not _goes_on(line, end):
            shown.append((start, end))
    return shown


def _lower(word: str) -> str:
    return word.translate(DOTS).lower()


def _composed_spans(line: str, words: Collection[str]) -> list[tuple[int, int]]:
    """Where words stand that hold more than letters and digits, such as hyphens or vowel signs."""
    if not words:
        return []
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    matches = re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", line, re.IGNORECASE)
    return [match.span() for match in matches]


def _goes_on(line: str, end: int) -> bool:
    """Whether the word continues with a vowel sign or an accent, which are no letters to ``re``."""
    return end < len(line) and unicodedata.category(line[end]).startswith("M")


def _densest(matches: list[tuple[int, int]], width: int) -> int:
    """Where to begin so that most met words are inside, with a little room before the first."""
    ends = [end for _, end in matches]  # ascending, as the matches do not overlap
    inside = [bisect_right(ends, first + width) - i for i, (first, _) in enumerate(matches)]
    first = matches[inside.index(max(inside))][0]
    return max(0, first - width // 5)


def _at_spaces(line: str, start: int, width: int) -> tuple[int, int]:
    if len(line) - start < width:
        start = max(0, len(line) - width)
    if start > 0 and (space := line.find(" ", start, start + width // 4)) >= 0:
        start = space + 1
    end = min(len(line), start + width)
    if end < len(line) and (space := line.rfind(" ", start + width // 2, end)) >= 0:
        end = space
    return start, end
