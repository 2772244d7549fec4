"""``dragoman index``: documents from any source into a folder that can be searched."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.building import (
    CandidateLanguages,
    Lexicons,
    Students,
    SystemName,
    Target,
    WorkersPlace,
    open_workers,
    refuse_other_build,
)
from dragoman.cli.inputs import readable, readable_path
from dragoman.cli.options import ClusterPlace, OnBadLine, OptionalOutputIndex
from dragoman.cli.sync import ReportFile, Strict, TextField, TitleField, sync_files
from dragoman.text.files import OnError

if TYPE_CHECKING:
    from collections import Counter

    from dragoman.indexes.index import Index


def index(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="Folders or files of any kind (PDF, Office, mail, web pages, archives, text ...),"
            " or collections: .jsonl, .tsv, .csv, a BEIR or plain collection folder, irds:NAME.",
            show_default=False,
        ),
    ],
    output: OptionalOutputIndex = None,
    store: ClusterPlace = "",
    system: SystemName = "",
    append: Annotated[
        bool,
        typer.Option(
            "--append", help="Add to an existing index; documents replace those with the same id."
        ),
    ] = False,
    language: Annotated[
        str, typer.Option(help="The language of documents that do not declare one.")
    ] = "",
    languages: CandidateLanguages = "",
    lexicon: Lexicons = None,
    student: Students = None,
    vectors: Annotated[
        list[Path] | None,
        typer.Option(
            help="Word vectors for wasserstein or nbow, from `dragoman learn embeddings`; by"
            " default the sentence encoder embeds each word.",
            callback=readable,
        ),
    ] = None,
    model: Annotated[
        Path | None,
        typer.Option(
            help="The model of a trained system (smooth, searcher, bilda, semi-interactive ...),"
            " from `dragoman train`.",
            show_default=False,
            callback=readable_path,
        ),
    ] = None,
    relevant_queries: Annotated[
        str,
        typer.Option(
            help="What semi-interactive encodes with a document: titles (of the same item in other"
            " languages), none, or a click log.",
            show_default="titles",
        ),
    ] = "",
    format: Annotated[  # noqa: A002 - the option's name
        str, typer.Option(help="The sources' format, where their names do not show it.")
    ] = "",
    on_error: OnBadLine = OnError.STOP,
    text_field: TextField = "",
    title_field: TitleField = "",
    strict: Strict = False,
    report: ReportFile = None,
    workers: WorkersPlace = "",
) -> None:
    """Make documents searchable in every language.

    Files stay in step with their index: the same command again reads only what has changed, as
    `dragoman sync` does, which can also watch folders.

    [dim]dragoman index letters/ notes.jsonl -o my-index[/]
    """
    from collections import Counter
    from itertools import chain

    import dragoman
    from dragoman.errors import UserError
    from dragoman.indexes.build import extend
    from dragoman.indexes.manifest import Manifest
    from dragoman.indexes.sync.synchronization import SyncOptions
    from dragoman.text.files import Faults
    from dragoman.text.format_detection import is_collection
    from dragoman.text.language_detection import with_languages
    from dragoman.text.languages import parse_list
    from dragoman.text.readers.contents import ReaderConfig
    from dragoman.text.source import read_documents

    target = Target(output, store)
    files = [] if format else [Path(source) for source in sources if not is_collection(source)]
    if files and len(files) < len(sources):
        raise UserError(
            f"{files[0]} is no collection, other sources are. Index the collections first, then"
            f" add the files: dragoman sync {files[0]} {'--store' if store else '-o'} {target}"
        )
    settings = {"vectors": vectors, "model": model, "relevant_queries": relevant_queries}
    if append and not store:
        Manifest.read(target.folder)  # an error where there is no index to append to
    if files:
        refuse_other_build(target, system, lexicon, student, **settings)
        among = parse_list(language or languages) if language or languages else ()
        with open_workers(workers) as opened:
            options = SyncOptions(
                strict=strict,
                languages=among,
                create=target.builder(system, lexicon, student, opened, **settings),
                open=target.open,
                workers=opened,
                reading=ReaderConfig(text_field=text_field, title_field=title_field),
            )
            sync_files(files, target, options, report=report)
        return
    if text_field or title_field or strict or report:
        raise UserError(
            f"{sources[0]} is a collection; --text-field, --title-field, --strict and --report are"
            " for folders and files. Use --on-error for bad lines of a collection."
        )
    if append:
        refuse_other_build(target, system, lexicon, student, **settings)
    faults, detected = Faults(on_error), Counter[str]()
    candidates = parse_list(languages) if languages else None
    read = chain.from_iterable(
        read_documents(source, faults, format=format or None, language=language)
        for source in sources
    )
    documents = with_languages(read, candidates, detected)
    with open_workers(workers) as opened, terminal.Stages() as stages:
        if append:
            index = dragoman.open(str(target))
            built = extend(documents, index, stage=stages.stage, workers=opened)
        else:
            build = target.builder(system, lexicon, student, opened, **settings)
            built = build(documents, target.folder, stage=stages.stage)
    _print_built(target, built, detected)
    if not (system or append) and built.manifest.system != "hybrid":
        terminal.warn(
            "documents are ranked by words alone; for sentence vectors: dragoman models get default"
        )
    for warning in built.manifest.warnings:
        terminal.warn(warning)
    terminal.report(faults)


def _print_built(target: Target, built: "Index", detected: "Counter[str]") -> None:
    """Print the documents of an index by language, and the languages that were detected."""
    with built:
        counts = ", ".join(f"{code} {n:,}" for code, n in built.languages.items())
        terminal.out.print(
            f"{target}: {built.count():,} documents ({counts}), {built.manifest.system}",
            soft_wrap=True,
        )
    if detected:
        counts = ", ".join(f"{code} {n:,}" for code, n in sorted(detected.items()))
        terminal.err.print(f"languages detected: {counts}")
