"""An explanation as text: the passage over its gloss, and the strongest links."""

from dataclasses import replace
from typing import TYPE_CHECKING

from dragoman.cli import terminal
from dragoman.cli.render.attention import print_attention

if TYPE_CHECKING:
    from rich.table import Table

    from dragoman.indexes.search.explanation_view import ExplanationView, GlossedText

MOST_LINKS = 20  # rows of the table; --json has all
WIDEST = 100  # cells of a line
INDENT = "  "


def print_explanation(shown: "ExplanationView") -> None:
    """Print the explanation as text."""
    from dragoman.text.languages import name

    document, out = shown.document, terminal.out
    out.print(f"[bold]{terminal.plain(shown.query.text)}[/]", end=" ")
    how = f", {shown.reason}" if shown.reason else ""
    out.print(f"[dim]({name(shown.query.language)}{terminal.plain(how)})[/]")
    out.print(
        f"[bold]{terminal.plain(document.doc_id)}[/]  [cyan]{name(document.language)}[/]"
        f"  {score_line(shown)}",
        soft_wrap=True,
    )
    out.print()
    print_passage(shown)
    out.print()
    print_attention(shown.matches)
    if shown.explanation.by_vectors:
        out.print("no word of the query matches; ranked by sentence vectors")
        return
    out.print(links_table(shown) if shown.explanation.links else "no word of the query matches")
    if (more := len(shown.explanation.links) - MOST_LINKS) > 0:
        out.print(f"[dim]and {more:,} weaker links; --json prints all[/]")


def score_line(shown: "ExplanationView") -> str:
    """The score as a search prints it, and what each part adds to it."""
    if shown.hit is None:
        return f"not among the first hits; by its words alone {shown.explanation.score:.3f}"
    parts = " + ".join(f"{part.system} {part.added:.3f}" for part in shown.hit.parts)
    return f"score {shown.hit.score:.3f}" + (f" = {parts}" if parts else "")


def print_passage(shown: "ExplanationView") -> None:
    """Print title and passage, each line over its gloss, and a legend of the marks."""
    from dragoman.lexicons.gloss import LEFT_OUT_MARK, UNKNOWN_MARK, GlossKind

    for text in (shown.title, shown.passage):
        if text.pieces:
            print_glossed(text, shown.matched_words)
    kinds = {piece.kind for piece in (*shown.title.gloss, *shown.passage.gloss)}
    legend = {
        GlossKind.UNKNOWN: f"{UNKNOWN_MARK}word: no translation is known",
        GlossKind.LEFT_OUT: f"{LEFT_OUT_MARK} a function word, not in the tables",
    }
    notes = [shown.warning] if shown.warning else [v for kind, v in legend.items() if kind in kinds]
    if notes:
        terminal.out.print(f"{INDENT}[dim]{terminal.plain('; '.join(notes))}[/]", soft_wrap=True)


def print_glossed(text: "GlossedText", matched: frozenset[str]) -> None:
    """Print the lines of a text with the matched words highlighted, each over its gloss."""
    from rich.padding import Padding

    from dragoman.cli.render.interlinear import columns, highlighted, lines
    from dragoman.indexes.search.explanation_view import GlossedText

    out = terminal.out
    text = GlossedText(
        tuple(one._replace(surface=terminal.visible(one.surface)) for one in text.pieces),
        tuple(replace(one, surface=terminal.visible(one.surface)) for one in text.gloss),
    )
    brackets = not out.is_terminal or out.no_color
    if not text.gloss:
        passage = highlighted(text.pieces, matched, brackets=brackets)
        out.print(Padding(passage, (0, 0, 1, len(INDENT)), expand=False))
    words = columns(text.gloss, matched, brackets=brackets)
    for above, below in lines(words, min(out.width, WIDEST) - len(INDENT)):
        for line in (above, below):
            out.print(INDENT, line, sep="", soft_wrap=True)
        out.print()


def links_table(shown: "ExplanationView") -> "Table":
    """The strongest links, one per row."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for heading in ("query", "document"):
        table.add_column(heading)
    for heading in ("weight", "share"):
        table.add_column(heading, justify="right")
    for link in shown.explanation.links[:MOST_LINKS]:
        table.add_row(
            *(Text(terminal.visible(one)) for one in (link.query_word, link.document_word)),
            *(f"{link.weight:.3f}", f"{link.share:.1%}"),
        )
    return table
