"""``dragoman index``: documents from any source into a folder that can be searched."""

from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import AtBadLines
from dragoman.text.files import OnError


def index(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="Files, folders or collections: .jsonl, .tsv, .csv (also .gz, .zst), a folder of"
            " .txt/.md/.html, a BEIR or plain collection folder, irds:NAME.",
            show_default=False,
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="The index folder.", show_default=False)
    ],
    system: Annotated[
        str,
        typer.Option(
            help="The system that will rank: hybrid, psq or dense; by default hybrid where the"
            " sentence encoder is here, else psq.",
        ),
    ] = "",
    append: Annotated[
        bool, typer.Option("--append", help="Add to an index, replacing documents by id.")
    ] = False,
    language: Annotated[
        str, typer.Option(help="The language of documents that do not say theirs.")
    ] = "",
    languages: Annotated[
        str, typer.Option(help="Detect among these only, as in de,fr,it.", show_default=False)
    ] = "",
    lexicon: Annotated[
        list[Path] | None,
        typer.Option(help="Your own translation table, made by `dragoman learn lexicon`."),
    ] = None,
    student: Annotated[
        list[Path] | None,
        typer.Option(help="Your own sentence encoder, made by `dragoman learn encoder`."),
    ] = None,
    vectors: Annotated[
        list[Path] | None,
        typer.Option(
            help="Word vectors for wasserstein or nbow, made by `dragoman learn embeddings`; by"
            " default the sentence encoder reads each word."
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            help="The model of a trained system (smooth, searcher, bilda, semi-interactive ...), by"
            " `dragoman train`.",
            show_default=False,
        ),
    ] = None,
    relevant_queries: Annotated[
        str,
        typer.Option(
            help="What semi-interactive reads with a document: titles (of the same item in other"
            " languages), none, or a click log.",
            show_default="titles",
        ),
    ] = "",
    format: Annotated[  # noqa: A002 - the option's name
        str, typer.Option(help="The sources' format, where the name does not tell.")
    ] = "",
    on_error: AtBadLines = OnError.STOP,
) -> None:
    """Make documents searchable in every language.

    [dim]dragoman index letters/ notes.jsonl -o my-index[/]
    """
    from collections import Counter
    from itertools import chain

    import dragoman
    from dragoman.indexes.build import build, extend
    from dragoman.text.files import Faults
    from dragoman.text.language_detection import with_languages
    from dragoman.text.languages import parse_list
    from dragoman.text.source import read_documents

    faults, detected = Faults(on_error), Counter[str]()
    candidates = parse_list(languages) if languages else None
    read = chain.from_iterable(
        read_documents(source, faults, format=format or None, language=language)
        for source in sources
    )
    documents = with_languages(read, candidates, detected)
    if append:
        with terminal.Stages() as stages:
            opened = extend(documents, output, stage=stages.stage)
    else:
        settings: dict[str, object] = {
            name: [str(path) for path in paths]
            for name, paths in {
                "lexicons": lexicon,
                "students": student,
                "vectors": vectors,
            }.items()
            if paths
        }
        if model is not None:
            settings["model"] = str(model)
        if relevant_queries:
            settings["relevant_queries"] = relevant_queries
        with terminal.Stages() as stages:
            opened = build(
                documents,
                output,
                system=system or dragoman.default_system(),
                version=dragoman.__version__,
                settings=settings,
                stage=stages.stage,
            )
    with opened:
        counts = ", ".join(f"{code} {n:,}" for code, n in opened.languages.items())
        terminal.out.print(
            f"{output}: {opened.count():,} documents ({counts}), {opened.manifest.system}",
            soft_wrap=True,
        )
    if detected:
        said = ", ".join(f"{code} {n:,}" for code, n in sorted(detected.items()))
        terminal.err.print(f"languages detected: {said}")
    if not (system or append) and opened.manifest.system != "hybrid":
        terminal.warn(
            "ranked by words alone; for sentence vectors beside them: dragoman models get default"
        )
    for warning in opened.manifest.warnings:
        terminal.warn(warning)
    terminal.report(faults)
