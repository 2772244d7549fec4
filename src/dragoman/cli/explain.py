"""``dragoman explain``: which words of a query and a document match, and the passage glossed."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.opening import (
    IndexPlace,
    KeyFile,
    folder_index,
    open_place,
    view_explanation,
)
from dragoman.cli.options import AsJson, QueryLanguage, QueryText, output_file
from dragoman.cli.render.drawing import picture_writer
from dragoman.cli.render.explanation import print_explanation


def explain(
    place: IndexPlace,
    query: QueryText,
    document: Annotated[str, typer.Argument(help="The id of a document, as search prints it.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="Also draw the links, into this .png or .svg file.",
            callback=output_file,
        ),
    ] = None,
    query_language: QueryLanguage = "",
    lambdas: Annotated[
        str,
        typer.Option(
            help="In a wasserstein index: compare these regularisations, as in exact,0.1,1."
        ),
    ] = "",
    key_file: KeyFile = None,
    as_json: AsJson = False,
) -> None:
    """Show which words of QUERY and DOCUMENT match, with a gloss in the query's language.

    [dim]dragoman explain my-index "come funzionano le maree" tides-de -o maree.png[/]
    """
    if lambdas:
        from dragoman.cli.render.plans import explain_plans

        with open_place(place, key_file) as index:
            folder = folder_index(index)
            explain_plans(folder, query, document, query_language, lambdas, output, as_json=as_json)
        return
    from dragoman.indexes.search.explanation_view import explanation_fields

    draw = picture_writer(output, "draw") if output is not None else None
    with open_place(place, key_file) as opened:
        shown = view_explanation(opened, query, document, query_language)
    if as_json:
        terminal.print_json(explanation_fields(shown))
    else:
        print_explanation(shown)
    if draw is not None:
        draw(shown.query, shown.document, shown.explanation)
