"""A passage over its gloss: word over word, or line over line in right-to-left scripts.

Terminals reverse a right-to-left line as a whole, spaces included, so that words padded to columns
would not align with their glosses. There both lines are plain text in reading order.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from dragoman.lexicons.gloss import GlossedPiece, GlossKind, TextPiece

MATCHED, UNKNOWN = "bold green", "dim italic"
GAP = 1  # spaces between two columns


@dataclass(frozen=True, slots=True)
class Column:
    """The text between two spaces of the passage, and its gloss."""

    above: Text
    below: Text

    @property
    def width(self) -> int:
        """Terminal cells, not characters: combining marks take none, ideographs two."""
        return max(cell_len(self.above.plain), cell_len(self.below.plain))


def highlighted(pieces: Iterable[TextPiece], matched: Collection[str], *, brackets: bool) -> Text:
    """The passage with the matched words in colour, or in brackets where there is no colour."""
    text = Text()
    for piece in pieces:
        _append(text, piece.surface, is_match=piece.word.casefold() in matched, brackets=brackets)
    return text


def columns(
    glossed: Iterable[GlossedPiece], matched: Collection[str], *, brackets: bool
) -> list[Column]:
    """The passage split at spaces, and between words in scripts without spaces."""
    return [_column(group, matched, brackets=brackets) for group in _groups(glossed)]


def _groups(glossed: Iterable[GlossedPiece]) -> list[list[GlossedPiece]]:
    groups: list[list[GlossedPiece]] = [[]]
    for piece in glossed:
        if piece.kind is not GlossKind.BETWEEN:
            if groups[-1] and groups[-1][-1].kind is not GlossKind.BETWEEN:
                groups.append([])
            groups[-1].append(piece)
            continue
        for part in re.findall(r"\s+|\S+", piece.surface):
            if part.isspace():
                groups.append([])
            else:
                groups[-1].append(GlossedPiece(part, part, GlossKind.BETWEEN))
    return [group for group in groups if group]


def _column(group: Iterable[GlossedPiece], matched: Collection[str], *, brackets: bool) -> Column:
    above, below = Text(), Text()
    for piece in group:
        is_match = piece.word.casefold() in matched
        _append(above, piece.surface, is_match=is_match, brackets=brackets)
        below.append(piece.shown, _style(piece, is_match=is_match))
    return Column(above, below)


def lines(words: Collection[Column], width: int) -> Iterator[tuple[Text, Text]]:
    """Pairs of lines of at most ``width`` cells, wider only for a single wider word."""
    aligned = not any(runs_right_to_left(c.above.plain + c.below.plain) for c in words)
    line: list[Column] = []
    for column in words:
        used = sum(c.width + GAP for c in line)
        if line and used + column.width > width:
            yield _joined(line, aligned=aligned)
            line = []
        line.append(column)
    if line:
        yield _joined(line, aligned=aligned)


def runs_right_to_left(text: str) -> bool:
    """Whether any letter belongs to a script that runs from right to left."""
    return any(unicodedata.bidirectional(char) in {"R", "AL"} for char in text)


def _joined(line: list[Column], *, aligned: bool) -> tuple[Text, Text]:
    above, below = Text(), Text()
    for column in line:
        for text, part in ((above, column.above), (below, column.below)):
            text.append_text(part)
            missing = column.width - cell_len(part.plain) if aligned else 0
            text.append(" " * (missing + GAP))
    above.rstrip()
    below.rstrip()
    return above, below


def _append(text: Text, surface: str, *, is_match: bool, brackets: bool) -> None:
    if is_match and brackets:
        text.append(f"[{surface}]")
    else:
        text.append(surface, MATCHED if is_match else "")


def _style(piece: GlossedPiece, *, is_match: bool) -> str:
    if piece.gloss is None:
        return UNKNOWN
    return MATCHED if is_match else ""
