"""``dragoman delete``: documents out of an index, by id or by metadata."""

from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.opening import IndexPlace, changeable_index
from dragoman.cli.options import Where, Within


def delete(
    place: IndexPlace,
    doc_ids: Annotated[
        list[str] | None, typer.Argument(metavar="[ID]...", help="The documents' ids.")
    ] = None,
    within: Within = "",
    where: Where = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before many are deleted.")] = False,
) -> None:
    """Delete documents from INDEX by their ids, or all that a filter selects.

    [dim]dragoman delete my-index --where "year<2000"[/]
    """
    from dragoman.errors import UserError
    from dragoman.indexes.search.listing import select_numbers
    from dragoman.text.languages import parse_list

    filtered = bool(within or where)
    index = changeable_index(place)
    if filtered == bool(doc_ids):
        raise UserError("Expected ids, or --where or --in, and not both.")
    with index:
        wanted = list(doc_ids or ())
        if filtered:
            with index.snapshot() as snapshot:
                chosen = index.scope(parse_list(within) if within else None, where or ()).allowed
                wanted = snapshot.doc_ids(select_numbers(snapshot, chosen))
            count = f"Delete {len(wanted):,} of {index.count():,} documents?"
            if wanted and not yes and not typer.confirm(count, err=True):
                raise typer.Exit(1)
        deleted = index.delete(wanted) if wanted else 0
    missing = len(wanted) - deleted
    if missing:
        terminal.warn(f"{missing:,} of {len(wanted):,} ids are not in {place}")
    terminal.out.print(f"{place}: {deleted:,} documents deleted", soft_wrap=True)
    if missing and not deleted:
        raise typer.Exit(2)
