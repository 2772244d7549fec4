"""``dragoman list``: the documents of an index, filtered and sorted."""

from itertools import islice
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.opening import IndexPlace, KeyFile, entries, open_place
from dragoman.cli.options import AsJson, Where, Within


def list_documents(
    place: IndexPlace,
    within: Within = "",
    where: Where = None,
    sort: Annotated[
        str, typer.Option(help="The field to sort by: id, title, modified ...; -FIELD reverses.")
    ] = "id",
    k: Annotated[int, typer.Option("-k", min=0, help="How many; 0 lists all.")] = 50,
    key_file: KeyFile = None,
    as_json: AsJson = False,
) -> None:
    """List the documents of INDEX.

    [dim]dragoman list my-index --where format=pdf --sort -modified[/]
    """
    from dragoman.text.languages import parse_list

    with open_place(place, key_file) as index:
        scope = index.scope(parse_list(within) if within else None, where or ())
        documents = entries(index, scope, sort)
        for document in islice(documents, k or None):
            if as_json:
                terminal.print_json_line(
                    {
                        "id": document.doc_id,
                        "language": document.language,
                        "title": document.title,
                        "letters": document.letters,
                        "metadata": dict(document.metadata),
                    }
                )
                continue
            title = f"  {terminal.plain(document.title)}" if document.title else ""
            terminal.out.print(
                f"[cyan]{document.language:3s}[/] {terminal.plain(document.doc_id)}"
                f"[dim]{title}  {document.letters:,} letters[/]",
                soft_wrap=True,
            )
        if not as_json and next(documents, None) is not None:
            terminal.err.print(f"the first {k:,} are listed; -k 0 lists all")
