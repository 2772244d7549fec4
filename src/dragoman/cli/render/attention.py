"""The sentence that matched each term of a query, and the attention over its words."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dragoman.cli import terminal

if TYPE_CHECKING:
    from dragoman.indexes.search.explanation_view import AttentionMatch

SHOWN = 0.01  # share of the attention; words with less are printed without a number


def print_attention(matches: "Sequence[AttentionMatch]") -> None:
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
