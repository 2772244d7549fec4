"""Long texts -> passages, cut between sentences where possible, in any script.

A sentence vector blurs with length, so a document is encoded in passages and scored by its best
one, or by the best one and the mean of all. A passage is a run of whole sentences within a budget
of letters; with an overlap, the next one repeats the end of the previous one. Text without sentence
ends within the budget is cut between words, text without spaces (Chinese, Japanese, Thai) anywhere.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import east_asian_width

from dragoman.errors import ConfigError

# A sentence ends with a punctuation mark and closing quotes or brackets, before a space; the marks
# of scripts without spaces end it alone, and so does a line end. One set of characters comes first,
# because the regex engine skips to it in a tenth of the time.
SPACED, UNSPACED = ".!?…؟۔।॥።៕၊။", "。！？．｡"
SENTENCE_END = re.compile(
    rf"""[{SPACED}{UNSPACED}\n] (?: (?<=[{SPACED}]) [{SPACED}]* ["'”’»)\]]* (?=\s)
    | (?<=[{UNSPACED}]) [{UNSPACED}]* [」』”’）】]* | (?<=\n) )""",
    re.VERBOSE,
)
SPACE = re.compile(r"\s+")
EAST_ASIAN = re.compile("[\u1100-\U0010ffff]")  # no character below is wide, and most text is below
WIDE = 2  # letters: an East Asian character carries about as much as two


@dataclass(frozen=True, kw_only=True, slots=True)
class PassageConfig:
    """The length of passages and of their overlap, in letters."""

    letters: int = 250
    overlap: int = 0

    def __post_init__(self) -> None:
        if self.letters < 1:
            raise ConfigError(f"letters must be 1 or more, got {self.letters}")
        if not 0 <= self.overlap < self.letters:
            raise ConfigError(
                f"overlap must be 0 or more and below letters ({self.letters}), got {self.overlap}"
            )


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a text; ``start`` and ``end`` are offsets in characters."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence or a part of one, with its offsets in characters and in letters."""

    start: int
    end: int
    first_letter: int
    last_letter: int


def split_passages(text: str, config: PassageConfig) -> list[Passage]:
    """The passages of ``text`` in order; together they cover all of it except spaces.

    A text within the budget is one passage; a text of spaces alone has none.
    """
    if not text.strip():
        return []
    if letters(text) <= config.letters:
        return [_passage(text, 0, len(text))]
    spans = [part for start, end in _sentences(text) for part in _parts(text, start, end, config)]
    pieces = list(_measured(text, spans))
    return [
        _passage(text, pieces[first].start, pieces[last - 1].end)
        for first, last in _runs(pieces, config)
    ]


def letters(text: str) -> int:
    """The length of a text in letters; wide characters count as two."""
    if text.isascii() or not EAST_ASIAN.search(text):
        return len(text)
    return len(text) + (WIDE - 1) * sum(east_asian_width(sign) in "WF" for sign in text)


def _sentences(text: str) -> list[tuple[int, int]]:
    """Start and end of each sentence, without sentences of spaces only."""
    ends = [match.end() for match in SENTENCE_END.finditer(text)]
    bounds = [0, *ends, len(text)]
    return [(start, end) for start, end in pairwise(bounds) if text[start:end].strip()]


def _parts(text: str, start: int, end: int, config: PassageConfig) -> list[tuple[int, int]]:
    """The whole sentence, or parts cut between words, or inside a word if there is no space.

    The parts of a cut sentence fit into the overlap, so that they can be repeated.
    """
    left = letters(text[start:end])
    if left <= config.letters:
        return [(start, end)]
    budget = config.overlap or config.letters
    parts: list[tuple[int, int]] = []
    while left > budget:
        cut = _cut(text, start, budget)
        parts.append((start, cut))
        left -= letters(text[start:cut])
        start = cut
    parts.append((start, end))
    return [(first, last) for first, last in parts if text[first:last].strip()]


def _cut(text: str, start: int, budget: int) -> int:
    """The end of the longest part from ``start`` within the budget: after a space, or anywhere."""
    cut = start + budget
    if letters(text[start:cut]) > budget:
        cut = start + max(1, budget // WIDE)
    spaces = [match.end() for match in SPACE.finditer(text, start + 1, cut)]
    return spaces[-1] if spaces else cut


def _measured(text: str, spans: list[tuple[int, int]]) -> Iterator[_Piece]:
    measured, done = 0, 0
    for start, end in spans:
        measured += letters(text[done:start])
        first_letter, measured = measured, measured + letters(text[start:end])
        done = end
        yield _Piece(start, end, first_letter, measured)


def _runs(pieces: list[_Piece], config: PassageConfig) -> list[tuple[int, int]]:
    """The pieces of each passage, as (first, after the last)."""
    runs: list[tuple[int, int]] = []
    first = 0
    while True:
        last = first + 1
        while (
            last < len(pieces)
            and pieces[last].last_letter - pieces[first].first_letter <= config.letters
        ):
            last += 1
        runs.append((first, last))
        if last == len(pieces):
            return runs
        first = _overlapping(pieces, first, last, config)


def _overlapping(pieces: list[_Piece], first: int, last: int, config: PassageConfig) -> int:
    """The first piece of the next passage: as many are repeated as fit with the next new one."""
    start = last
    while start - 1 > first:
        first_letter = pieces[start - 1].first_letter
        if pieces[last - 1].last_letter - first_letter > config.overlap:
            break
        if pieces[last].last_letter - first_letter > config.letters:
            break
        start -= 1
    return start


def _passage(text: str, start: int, end: int) -> Passage:
    body = text[start:end]
    start += len(body) - len(body.lstrip())
    return Passage(body.strip(), start, start + len(body.strip()))
