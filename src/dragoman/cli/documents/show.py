"""``dragoman show``: one document of an index, whole."""

from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.opening import IndexPlace, KeyFile, open_place
from dragoman.cli.options import AsJson


def show(
    place: IndexPlace,
    doc_id: Annotated[str, typer.Argument(metavar="ID", help="The document's id.")],
    key_file: KeyFile = None,
    as_json: AsJson = False,
) -> None:
    """Print a document of INDEX with its metadata.

    [dim]dragoman show my-index letters/anna.pdf[/]
    """
    from dragoman.indexes.search.answer import shown_metadata

    with open_place(place, key_file) as index:
        document = index.get(doc_id)
    metadata = shown_metadata(document)
    if as_json:
        fields = {"id": doc_id, "language": document.language, "title": document.title}
        terminal.print_json({**fields, "text": document.text, "metadata": metadata})
        return
    for name, value in (("id", doc_id), ("language", document.language), *metadata.items()):
        terminal.out.print(f"[dim]{terminal.plain(name)}:[/] {terminal.plain(str(value))}")
    if document.title:
        terminal.out.print(f"\n[bold]{terminal.plain(document.title)}[/]")
    terminal.out.print(f"\n{terminal.plain(document.text)}", soft_wrap=True)
