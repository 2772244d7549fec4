"""``dragoman similar``: the documents of an index that are most like one of them."""

from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.opening import IndexPlace, KeyFile, open_place
from dragoman.cli.options import AsJson, Depth, Within


def similar(
    place: IndexPlace,
    doc_id: Annotated[str, typer.Argument(metavar="ID", help="The document's id.")],
    k: Depth = 10,
    within: Within = "",
    key_file: KeyFile = None,
    as_json: AsJson = False,
) -> None:
    """Print the documents of INDEX that are most like one of them, in any language.

    [dim]dragoman similar my-index letters/anna.pdf --in fr[/]
    """
    from dragoman.cli.search import answer_fields, print_answer
    from dragoman.indexes.search.similar import similar_documents
    from dragoman.text.languages import parse_list

    with open_place(place, key_file, texts=as_json) as index:
        languages = parse_list(within) if within else None
        answer = similar_documents(index, index.get(doc_id), k, languages)
    if as_json:
        terminal.print_json(answer_fields(answer))
    else:
        print_answer(answer)
