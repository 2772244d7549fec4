"""The sentence that matched each term of a query, and the attention over its words."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from dragoman.cli import terminal

if TYPE_CHECKING:
    from dragoman.indexes.index import Index
    from dragoman.systems.searcher.explanation import Match
    from dragoman.types import Document, Query

SHOWN = 0.01  # of the attention; words with less are printed without a number


def attention(index: "Index", query: "Query", document: "Document") -> "list[Match]":
    """What the index's system looked at; nothing where it has no attention."""
    matches = getattr(index.system, "matches", None)
    found: list[Match] = [] if matches is None else matches(query, document)
    return found


def attention_fields(matches: "Sequence[Match]") -> list[dict[str, object]]:
    """The matches as ``--json`` prints them."""
    return [asdict(match) for match in matches]


def print_attention(matches: "Sequence[Match]") -> None:
    """Each term with its sentence; a word's share of the attention stands behind it."""
    for match in matches:
        words = [
            f"{terminal.plain(word)} [bold]{weight:.0%}[/]"
            if weight >= SHOWN
            else f"[dim]{terminal.plain(word)}[/]"
            for word, weight in zip(match.words, match.attention, strict=True)
        ]
        terminal.out.print(
            f"[bold]{terminal.plain(match.term)}[/]: {' '.join(words)}", soft_wrap=True
        )
