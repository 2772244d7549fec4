"""The sentence that matched each term of a query, and the attention over its words."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from dragoman.cli import terminal

if TYPE_CHECKING:
    from dragoman.indexes.index import Index
    from dragoman.systems.searcher.explanation import Match
    from dragoman.types import Document, Query

SHOWN = 0.01  # share of the attention; words with less are printed without a number


def attention_matches(index: "Index", query: "Query", document: "Document") -> "list[Match]":
    """Terms with the sentences that match them; none where the system has no attention."""
    find = getattr(index.system, "matches", None)
    matches: list[Match] = [] if find is None else find(query, document)
    return matches


def attention_fields(matches: "Sequence[Match]") -> list[dict[str, object]]:
    """The matches as ``--json`` prints them."""
    return [asdict(match) for match in matches]


def print_attention(matches: "Sequence[Match]") -> None:
    """Print each term with its sentence, and after each word its share of the attention."""
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
