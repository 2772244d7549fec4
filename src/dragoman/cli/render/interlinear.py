"""A passage over its gloss: word over word, or line over line where a script runs right to left.

Terminals turn a right-to-left line around as a whole, blanks included: words padded to columns
would not stand over their glosses. There both lines are plain text in reading order.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from rich.cells import cell_len
from rich.text import Text

from dragoman.lexicons.gloss import GlossedPiece, GlossKind, TextPiece

MET, UNKNOWN = "bold green", "dim italic"
GAP = 1  # blanks between two columns


@dataclass(frozen=True, slots=True)
class Column:
    """What stands between two blanks of the passage, and its gloss."""

    above: Text
    below: Text

    @property
    def width(self) -> int:
        """Cells on the screen, not characters: marks take none, ideographs two."""
        return max(cell_len(self.above.plain), cell_len(self.below.plain))


def marked(pieces: Iterable[TextPiece], met: Collection[str], *, brackets: bool) -> Text:
    """The passage with the met words in colour, in brackets where there is no colour."""
    text = Text()
    for piece in pieces:
        _append(text, piece.surface, is_met=piece.word.casefold() in met, brackets=brackets)
    return text


def columns(
    glossed: Iterable[GlossedPiece], met: Collection[str], *, brackets: bool
) -> list[Column]:
    """The passage cut at its blanks, and between words where the script writes none."""
    return [_column(group, met, brackets=brackets) for group in _groups(glossed)]


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


def _column(group: Iterable[GlossedPiece], met: Collection[str], *, brackets: bool) -> Column:
    above, below = Text(), Text()
    for piece in group:
        is_met = piece.word.casefold() in met
        _append(above, piece.surface, is_met=is_met, brackets=brackets)
        below.append(piece.shown, _style(piece, is_met=is_met))
    return Column(above, below)


def lines(words: Collection[Column], width: int) -> Iterator[tuple[Text, Text]]:
    """Pairs of lines of at most ``width`` cells, unless a single word is wider."""
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


def _append(text: Text, surface: str, *, is_met: bool, brackets: bool) -> None:
    if is_met and brackets:
        text.append(f"[{surface}]")
    else:
        text.append(surface, MET if is_met else "")


def _style(piece: GlossedPiece, *, is_met: bool) -> str:
    if piece.gloss is None:
        return UNKNOWN
    return MET if is_met else ""
