"""``dragoman sync``: keeps an index in step with folders of any files."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from dragoman import registry
from dragoman.cli import terminal
from dragoman.cli.building import (
    CandidateLanguages,
    Lexicons,
    Students,
    SystemName,
    Target,
    refuse_other_build,
)
from dragoman.cli.options import ClusterPlace, OptionalOutputIndex, output_file
from dragoman.storage.staging import write_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from dragoman.indexes.sync.report import SyncReport
    from dragoman.indexes.sync.synchronization import SyncOptions

EXAMPLES = 3  # paths listed for a reason
REASONS = 20  # that are listed
FEW_COLUMNS = 5  # of a table whose headers are in one line

TextField = Annotated[
    str,
    typer.Option(
        help="The columns of tables, or fields of JSON, that are text.", show_default=False
    ),
]
TitleField = Annotated[
    str, typer.Option(help="The column or field that is the title.", show_default=False)
]
Strict = Annotated[bool, typer.Option("--strict", help="Stop at a file that cannot be read.")]
ReportFile = Annotated[
    Path | None,
    typer.Option(
        help="Write what was done with every file to this file, as JSON lines.",
        show_default=False,
        callback=output_file,
    ),
]


def sync(
    folders: Annotated[
        list[Path], typer.Argument(help="Folders, or single files.", show_default=False)
    ],
    output: OptionalOutputIndex = None,
    store: ClusterPlace = "",
    label: Annotated[
        str,
        typer.Option(help="The name of one folder in ids; by default its own.", show_default=False),
    ] = "",
    system: SystemName = "",
    languages: CandidateLanguages = "",
    lexicon: Lexicons = None,
    student: Students = None,
    text_field: TextField = "",
    title_field: TitleField = "",
    allow_deletes: Annotated[
        bool,
        typer.Option(
            "--allow-deletes", help="Continue if more than a fifth of the files are gone."
        ),
    ] = False,
    strict: Strict = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on: sync again whenever a file changes.")
    ] = False,
    report: ReportFile = None,
) -> None:
    """Update an index from folders: add new and changed files, delete those that are gone.

    [dim]dragoman sync letters/ ~/notes -o my-index[/]
    """
    from dragoman.indexes.sync.synchronization import SyncOptions
    from dragoman.text.languages import parse_list
    from dragoman.text.readers.contents import ReaderConfig

    # a missing extra is named before the work
    changes = registry.load("dragoman.indexes.sync.watching:changes") if watch else None
    target = Target(output, store)
    refuse_other_build(target, system, lexicon, student)
    options = SyncOptions(
        allow_deletes=allow_deletes,
        strict=strict,
        languages=parse_list(languages) if languages else (),
        create=target.builder(system, lexicon, student),
        open=target.open,
        reading=ReaderConfig(text_field=text_field, title_field=title_field),
    )
    sync_files(folders, target, options, label, report)
    if changes is not None:
        _follow(changes(folders), partial(sync_files, folders, target, options, label))


def _follow(changes: "Iterator[int]", sync_again: "Callable[[], object]") -> None:
    """Sync whenever files change, until Ctrl-C; what is refused is reported and tried again."""
    from dragoman.errors import UserError

    waiting = True  # Ctrl-C is the ordinary end, except in the middle of a sync
    try:
        terminal.err.print("watching; Ctrl-C ends")
        for count in changes:
            waiting = False
            terminal.err.print(f"{count:,} files have changed")
            try:
                sync_again()
            except UserError as error:
                terminal.warn(str(error))
            waiting = True
    except KeyboardInterrupt:
        if not waiting:
            raise
    terminal.err.print("watching has ended; the index is in step with the last changes")


def sync_files(
    folders: "list[Path]",
    target: Target,
    options: "SyncOptions",
    label: str = "",
    report: Path | None = None,
) -> None:
    """Bring an index in step with folders, print what was done and write the report."""
    import dragoman
    from dragoman.errors import UserError
    from dragoman.indexes.sync.synchronization import sync
    from dragoman.text.readers.scan import Root

    if label and len(folders) > 1:
        raise UserError("Found --label with several folders; expected one folder.")
    roots = [Root.of(folder, label) for folder in folders]
    with terminal.Stages() as stages:
        result = sync(roots, target.folder, options, stages.stage)
    print_report(result)
    with dragoman.open(str(target)) as index:
        counts = ", ".join(f"{code} {n:,}" for code, n in index.languages.items())
        terminal.out.print(
            f"{target}: {index.count():,} documents ({counts}), {index.manifest.system};"
            f" {result.added:,} added, {result.deleted:,} deleted",
            soft_wrap=True,
        )
        for warning in index.manifest.warnings if result.added else ():
            terminal.warn(warning)
    if report is not None:
        with write_lines(report) as stream:
            stream.writelines(f"{line}\n" for line in result.lines())


def _print_reasons(result: "SyncReport") -> None:
    """Print why files were not read, the most frequent reasons first."""
    reasons = result.reasons()
    for (status, reason), paths in reasons[:REASONS]:
        shown = f"{status}: {terminal.plain(reason)}" if reason else f"{status}"
        terminal.err.print(f"{shown}: {_some([*map(str, paths)])}", soft_wrap=True)
    if rest := sum(len(paths) for _, paths in reasons[REASONS:]):
        terminal.err.print(
            f"{rest:,} more files for {len(reasons) - REASONS:,} other reasons;"
            " --report FILE lists all"
        )


def _some(named: list[str]) -> str:
    """The first of some names, and how many more there are."""
    more = f" and {len(named) - EXAMPLES:,} more" if len(named) > EXAMPLES else ""
    return terminal.plain(", ".join(named[:EXAMPLES])) + more


def print_report(result: "SyncReport") -> None:
    """Print a table of files by format, then each reason once, then what was left out."""
    from rich.table import Table

    from dragoman.indexes.sync.report import FileStatus

    by_format = result.by_format()
    shown = [one for one in FileStatus if any(counts[one] for counts in by_format.values())]
    space = "\n" if len(shown) > FEW_COLUMNS else " "
    headers = (status.value.replace(" ", space) for status in shown)
    table = Table("files", *headers, box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.columns[0].no_wrap = True
    for column in table.columns[1:]:
        column.justify = "right"
    for name, counts in by_format.items():
        table.add_row(name, *(f"{counts[status]:,}" if counts[status] else "" for status in shown))
    terminal.err.print(table)
    _print_reasons(result)
    copies = [f"{file.path} (of {file.copy_of})" for file in result.files if file.copy_of]
    if copies:
        terminal.err.print(f"copies: {_some(copies)}", soft_wrap=True)
    for encoding, paths in result.encodings().items():
        decoded = f"decoded as {terminal.plain(encoding)}: {_some([*map(str, paths)])}"
        terminal.err.print(decoded, soft_wrap=True)
    for reason, letters in sorted(result.left_out.items()):
        terminal.err.print(f"left out: {letters:,} letters, {reason}")
    for field, name in sorted(result.renamed.items()):
        own = f"the field {terminal.plain(field)} of texts is called {terminal.plain(name)}"
        terminal.err.print(f"renamed: {own}, because the file has one of that name", soft_wrap=True)
    uncertain = [
        (f"{path}/{name}" if name else str(path), code)
        for path, texts in result.uncertain.items()
        for name, code in texts.items()
    ]
    for path, code in uncertain[:EXAMPLES]:
        terminal.err.print(f"uncertain: {terminal.plain(path)} is taken as {code}", soft_wrap=True)
    if (rest := len(uncertain) - EXAMPLES) > 0:
        terminal.err.print(f"uncertain: {rest:,} more; --report FILE lists all")
