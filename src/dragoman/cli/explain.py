"""``dragoman explain``: which words of a query and a document match, and the passage glossed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import AsJson, IndexFolder, QueryLanguage, QueryText
from dragoman.cli.render.attention import attention_matches
from dragoman.cli.render.drawing import picture_writer
from dragoman.cli.render.explanation import (
    ExplanationView,
    GlossedText,
    explanation_fields,
    print_explanation,
)

if TYPE_CHECKING:
    from dragoman.indexes.index import Index
    from dragoman.indexes.system import System
    from dragoman.lexicons.gloss import PivotTables

PASSAGE = 480  # characters: enough to judge relevance, short enough for a screen
RANKED = 1000  # hits among which the score of the document is looked for


def explain(
    folder: IndexFolder,
    query: QueryText,
    document: Annotated[str, typer.Argument(help="The id of a document, as search prints it.")],
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Also draw the links, into this .png or .svg file."),
    ] = None,
    query_language: QueryLanguage = "",
    lambdas: Annotated[
        str,
        typer.Option(
            help="In a wasserstein index: compare these regularisations, as in exact,0.1,1."
        ),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Show which words of QUERY and DOCUMENT match, with a gloss in the query's language.

    [dim]dragoman explain my-index "come funzionano le maree" tides-de -o maree.png[/]
    """
    import dragoman

    if lambdas:
        from dragoman.cli.render.plans import explain_plans

        with dragoman.open(folder) as index:
            explain_plans(index, query, document, query_language, lambdas, output, as_json=as_json)
        return
    draw = picture_writer(output, "draw") if output is not None else None
    with dragoman.open(folder) as index:
        shown = view_explanation(index, query, document, query_language)
    if as_json:
        terminal.print_json(explanation_fields(shown))
    else:
        print_explanation(shown)
    if draw is not None:
        draw(shown.query, shown.document, shown.explanation)


def view_explanation(index: "Index", text: str, doc_id: str, language: str = "") -> ExplanationView:
    """The explanation with the best passage, glossed in the query's language."""
    from unicodedata import normalize

    from dragoman.indexes.search.snippets import snippet
    from dragoman.lexicons.analysis import DEFAULT_ANALYSIS
    from dragoman.lexicons.gloss import gloss, missing_table, pieces
    from dragoman.tokens.analyzer import Analyzer

    query, detection = index.query(text, language)
    explanation = index.explain(text, doc_id, language=query.language)
    document = index.documents([doc_id])[0]
    assert document is not None, "index.explain has raised for an unknown id"
    tables = tables_of(index.system)
    table = tables.table(document.language)
    analyzer = table.analyzer() if table is not None else Analyzer(DEFAULT_ANALYSIS)
    words = {link.document_word for link in explanation.links}
    passage = snippet(normalize("NFKC", document.text or document.title), words, PASSAGE).text
    warning = missing_table(document.language, query.language, tables)

    def glossed(text: str) -> GlossedText:
        glosses = () if warning else gloss(text, document.language, query.language, tables)
        return GlossedText(tuple(pieces(text, document.language, analyzer)), tuple(glosses))

    reason = detection.reason if detection is not None else ""
    return ExplanationView(
        query,
        document,
        explanation,
        reason,
        glossed(document.title),
        glossed(passage),
        warning,
        tuple(attention_matches(index, query, document)),
        next((hit for hit in index.rank(query, RANKED).hits if hit.doc_id == doc_id), None),
    )


def tables_of(system: "System") -> "PivotTables":
    """The translation tables of the system; the shipped ones where it has none of its own."""
    from dragoman.lexicons.translation_tables import TranslationTables

    own: PivotTables | None = getattr(system, "tables", None)
    return own if own is not None else TranslationTables()
