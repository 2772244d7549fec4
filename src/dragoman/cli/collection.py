"""``dragoman collection``: lists and builds named collections."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import AsJson, OutputFolder, Seed

group = typer.Typer(
    no_args_is_help=True,
    help="Collections with queries, graded judgments and bitext, built from public sources.",
)


@group.command("list")
def list_collections(as_json: AsJson = False) -> None:
    """Show what can be built, how large it is and what it needs.

    [dim]dragoman collection list[/]
    """
    from dragoman.text.collections import catalogue

    fields = ("name", "what", "languages", "size", "needs", "licence")
    rows = [{field: str(getattr(row, field)) for field in fields} for row in catalogue()]
    if as_json:
        terminal.print_json(rows)
    else:
        terminal.print_records(rows)


@group.command("get")
def get_collection(
    name: Annotated[str, typer.Argument(help="A name that `dragoman collection list` shows.")],
    output: OutputFolder,
    languages: Annotated[
        str,
        typer.Option(
            help="English and the documents' languages, as in en,it,fr.", show_default=False
        ),
    ],
    seed: Seed = 0,
    negatives: Annotated[
        int, typer.Option(min=0, help="Sampled documents of grade 0 per query and language.")
    ] = 40,
    lists: Annotated[
        Path | None, typer.Option(help="A folder of apt's lists, instead of fetching them.")
    ] = None,
    debs: Annotated[
        Path | None, typer.Option(help="A folder of downloaded packages, instead of fetching them.")
    ] = None,
    state: Annotated[
        Path | None,
        typer.Option(
            help="Where apt works and stores its downloads.", show_default="a temporary folder"
        ),
    ] = None,
    pages_source: Annotated[
        list[Path] | None,
        typer.Option(help="wikipedia: every dump file, as in enwiki-...-pages-articles.xml.bz2."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Build the collection NAME: documents, queries in three splits, judgments and bitext.

    [dim]dragoman collection get debian-packages --languages en,it -o packages[/]
    """
    from dragoman.text.collections import build
    from dragoman.text.collections.catalogue import BuildRequest, parse_languages

    request = BuildRequest(
        languages=parse_languages(languages),
        seed=seed,
        negatives=negatives,
        lists=lists,
        debs=debs,
        state=state,
        dumps=tuple(pages_source or ()),
    )
    with terminal.Stages() as stages:
        manifest = build(name, request, output, stages.stage)
    if as_json:
        terminal.print_json(manifest)
        return
    terminal.out.print(f"{terminal.plain(str(output))}: {name}, seed {seed}", soft_wrap=True)
    for counted in ("documents", "aligned", "queries", "judgments", "bitext"):
        counts = ", ".join(f"{key} {value:,}" for key, value in manifest[counted].items())
        terminal.out.print(f"  {counted:<10} {counts}", soft_wrap=True)
