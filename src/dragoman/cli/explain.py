"""``dragoman explain``: which words met, the passage they met in, and what it says."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.render.attention import attention, attention_fields, print_attention
from dragoman.cli.search import IndexFolder, Json, QueryLanguage
from dragoman.errors import UserError

if TYPE_CHECKING:
    from rich.table import Table

    from dragoman.indexes.index import Index
    from dragoman.indexes.system import System
    from dragoman.lexicons.gloss import GlossedPiece, PivotTables, TextPiece
    from dragoman.systems.searcher.explanation import Match
    from dragoman.types import Document, Explanation, Query

PASSAGE = 480  # characters: enough to judge by, short enough for a screen
MOST_LINKS = 20  # rows of the table; --json has all
WIDEST = 100  # cells of a line
INDENT = "  "
ENDINGS = (".png", ".svg")


@dataclass(frozen=True, slots=True)
class Glossable:
    """A part of the document in pieces, and with their glosses where there are any."""

    pieces: tuple["TextPiece", ...]
    gloss: tuple["GlossedPiece", ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """All that is shown: the links, and the passage that met."""

    query: "Query"
    document: "Document"
    explanation: "Explanation"
    reason: str  # why the query's language is not certain; empty where it is
    title: Glossable
    passage: Glossable
    warning: str  # why there is no gloss; empty where there is one
    matches: "tuple[Match, ...]" = ()  # sentences that a system looked at, word by word

    @property
    def met(self) -> frozenset[str]:
        """The document's words that were met, without their case."""
        return frozenset(link.document_word.casefold() for link in self.explanation.links)


def explain(
    index: IndexFolder,
    query: Annotated[str, typer.Argument(help="The query.")],
    document: Annotated[str, typer.Argument(help="The id of a document, as search prints it.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Draw the links too, into this .png or .svg file."),
    ] = None,
    query_language: QueryLanguage = "",
    lambdas: Annotated[
        str,
        typer.Option(
            help="Of a wasserstein index: compare these regularisations, as in exact,0.1,1."
        ),
    ] = "",
    json: Json = False,
) -> None:
    """Show which word of QUERY met which word of DOCUMENT, with a gloss in the query's language.

    [dim]dragoman explain my-index "come funzionano le maree" tides-de -o maree.png[/]
    """
    import dragoman

    if lambdas:
        from dragoman.cli.render.plans import explain_plans

        with dragoman.open(index) as opened:
            explain_plans(opened, query, document, query_language, lambdas, output, json=json)
        return
    draw = drawing(output) if output is not None else None
    with dragoman.open(index) as opened:
        shown = explained(opened, query, document, query_language)
    if json:
        terminal.print_json(fields(shown))
    else:
        print_explained(shown)
    if draw is not None:
        for warning in draw(shown.query, shown.document, shown.explanation):
            terminal.err.print(terminal.plain(warning), soft_wrap=True)
        terminal.err.print(f"{terminal.plain(str(output))}: written", soft_wrap=True)


def drawing(output: Path) -> Callable[["Query", "Document", "Explanation"], list[str]]:
    """What draws an explanation into ``output``; refused before any work is done."""
    from functools import partial

    from dragoman import registry

    check_ending(output)
    return partial(registry.load("dragoman.cli.render.pictures:draw"), output)


def check_ending(output: Path) -> None:
    """Refuse a picture of a kind that we do not draw."""
    if output.suffix.lower() not in ENDINGS:
        raise UserError(
            f"{output}: found the ending {output.suffix!r}; expected {' or '.join(ENDINGS)}."
        )


def explained(index: "Index", text: str, doc_id: str, language: str = "") -> Explained:
    """The explanation with the passage that met, glossed in the query's language."""
    from unicodedata import normalize

    from dragoman.indexes.search.snippets import snippet
    from dragoman.lexicons.analysis import DEFAULT_ANALYSIS
    from dragoman.lexicons.gloss import gloss, missing_table, pieces
    from dragoman.tokens.analyzer import Analyzer

    query, detection = index.query(text, language)
    explanation = index.explain(text, doc_id, language=query.language)
    document = index.documents([doc_id])[0]
    assert document is not None, "the explanation would have been an error"
    tables = tables_of(index.system)
    table = tables.table(document.language)
    analyzer = table.analyzer() if table is not None else Analyzer(DEFAULT_ANALYSIS)
    words = {link.document_word for link in explanation.links}
    passage = snippet(normalize("NFKC", document.text or document.title), words, PASSAGE).text
    warning = missing_table(document.language, query.language, tables)

    def part(text: str) -> Glossable:
        cut = tuple(pieces(text, document.language, analyzer))
        known = () if warning else gloss(text, document.language, query.language, tables)
        return Glossable(cut, tuple(known))

    reason = detection.reason if detection is not None else ""
    return Explained(
        query,
        document,
        explanation,
        reason,
        part(document.title),
        part(passage),
        warning,
        tuple(attention(index, query, document)),
    )


def tables_of(system: "System") -> "PivotTables":
    """The tables that the index translates by; the shipped ones where its system names none."""
    from dragoman.lexicons.translation_tables import TranslationTables

    own: PivotTables | None = getattr(system, "tables", None)
    return own if own is not None else TranslationTables()


def fields(shown: Explained) -> dict[str, object]:
    """The explanation as ``--json`` prints it; joined surfaces are the passage."""
    from dragoman.lexicons.gloss import gloss_text

    links = [asdict(link) for link in shown.explanation.links]
    return {
        "query": shown.query.text,
        "language": shown.query.language,
        "document": {
            "id": shown.document.doc_id,
            "language": shown.document.language,
            "title": shown.document.title,
        },
        "score": shown.explanation.score,
        "links": links,
        "passage": "".join(piece.surface for piece in shown.passage.pieces),
        "marks": marks(shown),
        "gloss": None if shown.warning else gloss_text(shown.passage.gloss),
        "words": [asdict(piece) for piece in shown.passage.gloss],
        "warning": shown.warning or None,
        "matches": attention_fields(shown.matches),
    }


def marks(shown: Explained) -> list[tuple[int, int]]:
    """Where the met words begin and end in the passage."""
    found, start = [], 0
    for piece in shown.passage.pieces:
        end = start + len(piece.surface)
        if piece.word.casefold() in shown.met:
            found.append((start, end))
        start = end
    return found


def print_explained(shown: Explained) -> None:
    """The explanation as a person reads it."""
    from dragoman.text.languages import name

    document, out = shown.document, terminal.out
    out.print(f"[bold]{terminal.plain(shown.query.text)}[/]", end=" ")
    how = f", {shown.reason}" if shown.reason else ""
    out.print(f"[dim]({name(shown.query.language)}{terminal.plain(how)})[/]")
    out.print(
        f"[bold]{terminal.plain(document.doc_id)}[/]  [cyan]{name(document.language)}[/]"
        f"  score {shown.explanation.score:.3f}",
        soft_wrap=True,
    )
    out.print()
    print_passage(shown)
    out.print()
    print_attention(shown.matches)
    out.print(links_table(shown) if shown.explanation.links else "no word of the query was met")
    if (more := len(shown.explanation.links) - MOST_LINKS) > 0:
        out.print(f"[dim]and {more:,} weaker links; --json prints all[/]")


def print_passage(shown: Explained) -> None:
    """The title and the passage, each line of them over its gloss."""
    from dragoman.lexicons.gloss import LEFT_OUT_MARK, UNKNOWN_MARK, GlossKind

    for part in (shown.title, shown.passage):
        if part.pieces:
            print_part(part, shown.met)
    kinds = {piece.kind for piece in (*shown.title.gloss, *shown.passage.gloss)}
    legend = {
        GlossKind.UNKNOWN: f"{UNKNOWN_MARK}word: no translation is known",
        GlossKind.LEFT_OUT: f"{LEFT_OUT_MARK} a small word that the tables leave out",
    }
    notes = [shown.warning] if shown.warning else [v for kind, v in legend.items() if kind in kinds]
    if notes:
        terminal.out.print(f"{INDENT}[dim]{terminal.plain('; '.join(notes))}[/]", soft_wrap=True)


def print_part(part: Glossable, met: frozenset[str]) -> None:
    """The lines with the met words marked, each over its gloss."""
    from rich.padding import Padding

    from dragoman.cli.render.interlinear import columns, lines, marked

    out = terminal.out
    brackets = not out.is_terminal or out.no_color
    if not part.gloss:
        text = marked(part.pieces, met, brackets=brackets)
        out.print(Padding(text, (0, 0, 1, len(INDENT)), expand=False))
    words = columns(part.gloss, met, brackets=brackets)
    for above, below in lines(words, min(out.width, WIDEST) - len(INDENT)):
        for line in (above, below):
            out.print(INDENT, line, sep="", soft_wrap=True)
        out.print()


def links_table(shown: Explained) -> "Table":
    """The strongest links, one a row."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False)
    for heading in ("query", "document"):
        table.add_column(heading)
    for heading in ("weight", "share"):
        table.add_column(heading, justify="right")
    for link in shown.explanation.links[:MOST_LINKS]:
        table.add_row(
            *(Text(link.query_word), Text(link.document_word)),
            *(f"{link.weight:.3f}", f"{link.share:.1%}"),
        )
    return table
