"""``dragoman reproduce all``: every experiment, small, into one report."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from dragoman.cli import terminal
from dragoman.cli.options import OutputFolder
from dragoman.cli.reproduce.ablation import reproduce_ablation
from dragoman.cli.reproduce.engine import reproduce_engine
from dragoman.cli.reproduce.lexical import reproduce_lexical
from dragoman.cli.reproduce.options import DataFolder, parse_scale, scale_option
from dragoman.cli.reproduce.report import command_line
from dragoman.cli.reproduce.searcher import reproduce_searcher
from dragoman.cli.reproduce.semi_interactive import reproduce_semi_interactive
from dragoman.cli.reproduce.smooth import reproduce_smooth
from dragoman.cli.reproduce.transport import reproduce_transport
from dragoman.cli.reproduce.wasserstein import reproduce_wasserstein
from dragoman.errors import DragomanError, InputError

PAGE, ENCODER, SECTION = "report.md", "encoder", "all"


@dataclass(frozen=True, kw_only=True, slots=True)
class SmokeScale:
    """The sizes of a run that shows that all experiments work."""

    queries: int  # of each language pair
    items: int  # test documents of Wasserstein's tables
    topics: int
    sweeps: int
    trained: str  # the scale of smooth learning's and of semi-interactive trainings
    encoder: dict[str, int]  # of their encoder, where none is given
    encoder_steps: int


SCALES = {
    "tiny": SmokeScale(
        queries=10,  # of fewer, none may find a document without translation
        items=4,
        topics=4,
        sweeps=10,
        trained="tiny",
        encoder={"pieces": 500, "size": 16, "layers": 1, "heads": 2, "inner": 32},
        encoder_steps=4,
    ),
    "small": SmokeScale(
        queries=20,
        items=100,
        topics=30,
        sweeps=50,
        trained="small",
        encoder={"pieces": 8_000, "size": 64, "layers": 2, "heads": 2, "inner": 128},
        encoder_steps=200,
    ),
}


@dataclass(frozen=True, slots=True)
class _Outcome:
    """How an experiment ended."""

    name: str
    seconds: float  # of processor time
    error: str = ""


def reproduce_all(
    data: DataFolder,
    output: OutputFolder,
    collection: Annotated[
        Path,
        typer.Option(
            metavar="FOLDER",
            help="A collection of aligned documents in several languages, such as"
            " libreoffice-help.",
            show_default=False,
        ),
    ],
    language: Annotated[
        str, typer.Option(help="The language of the collection that is compared with English.")
    ] = "fr",
    searched: Annotated[
        str, typer.Option(help="The language of DATA's bitext that SEARCHER is measured on.")
    ] = "so",
    encoder: Annotated[
        str,
        typer.Option(
            help="The folder of a transformer for the semi-interactive models.",
            show_default="a small one, trained here",
        ),
    ] = "",
    scale: Annotated[str, scale_option("tiny", "small")] = "small",
) -> None:
    """Run every experiment at a small size: do all of them work on this machine?

    The numbers mean little. The tables are in report.md of the report; an experiment that fails
    does not stop the others, and is named at the end.

    [dim]dragoman reproduce all ../shared/data --collection libreoffice-help -o smoke[/]
    """
    from dragoman.experiments.sections import provenance, write_section

    size = parse_scale(scale, SCALES)
    output.mkdir(parents=True, exist_ok=True)
    command = command_line(
        *("all", data),
        output=output,
        collection=collection,
        language=language,
        searched=searched,
        encoder=encoder,
        scale=scale,
    )
    outcomes: list[_Outcome] = []

    def report() -> str:
        lines = ["## All experiments", "", *provenance(command), "", *_table(outcomes)]
        return "\n".join(lines)

    write_section(output / PAGE, SECTION, report())
    for name, run in _experiments(data, output, collection, language, searched, encoder, size):
        outcomes.append(_run(name, run))
        write_section(output / PAGE, SECTION, report())
    terminal.out.print("\n".join(_table(outcomes)), markup=False, soft_wrap=True)
    terminal.out.print(f"\nreport: {terminal.plain(str(output / PAGE))}", soft_wrap=True)
    if failed := [one.name for one in outcomes if one.error]:
        raise DragomanError(
            f"{len(failed)} of {len(outcomes)} experiments failed: {', '.join(failed)}; the table"
            " above says why."
        )


def _run(name: str, run: Callable[[], None]) -> _Outcome:
    """Run one experiment; what is wrong with its data or settings becomes part of the outcome."""
    terminal.out.print(f"\n[bold]{name}[/]")
    started, error = time.process_time(), ""
    try:
        run()
    except DragomanError as failure:
        error = str(failure)
    return _Outcome(name, time.process_time() - started, error)


def _table(outcomes: list[_Outcome]) -> list[str]:
    rows = [f"| {one.name} | {one.seconds:,.0f} | {one.error or 'done'} |" for one in outcomes]
    return ["| experiment | seconds of processor time | |", "|---|---:|---|", *rows]


def _experiments(
    data: Path,
    output: Path,
    collection: Path,
    language: str,
    searched: str,
    encoder: str,
    size: SmokeScale,
) -> Iterator[tuple[str, Callable[[], None]]]:
    """Every experiment under its name, the cheap ones first."""
    page, queries = output / PAGE, size.queries
    yield "lexical", lambda: reproduce_lexical(data, page, queries)
    yield (
        "wasserstein",
        lambda: reproduce_wasserstein(
            collection, language, output=page, cache=output / "wasserstein", items=size.items,
            queries=queries, topics=size.topics, sweeps=size.sweeps, lambdas=True,
        ),
    )  # fmt: skip
    yield (
        "searcher",
        lambda: reproduce_searcher(data, output / "searcher", searched, "tiny", page=page),
    )
    yield (
        "smooth",
        lambda: reproduce_smooth(
            str(collection), output / "smooth", size.trained, f"en-{language}", page=page
        ),
    )
    yield "engine", lambda: reproduce_engine(data, page, [], queries, queries, students=False)
    yield "ablation", lambda: reproduce_ablation(data, page, queries)
    yield (
        "transport",
        lambda: reproduce_transport(
            data, collection, language, "de", queries, queries, page, output / "transport"
        ),
    )

    def semi_interactive() -> None:
        folder = encoder or str(_small_encoder(collection, output / ENCODER, size))
        reproduce_semi_interactive(
            str(collection), folder, output / "semi-interactive", size.trained, page=page
        )

    yield "semi-interactive", semi_interactive


def _small_encoder(collection: Path, folder: Path, size: SmokeScale) -> Path:
    """A transformer of a few minutes, learnt from the bitext of the collection."""
    from dragoman.text.collection import Collection
    from dragoman.training.pretraining.config import pretrain_config
    from dragoman.training.pretraining.pipeline import run_pipeline

    if folder.is_dir():
        return folder
    files = Collection.open(collection).bitext_files()
    if not files:
        raise InputError(collection, None, found="no bitext", expected="some, or --encoder")
    config = pretrain_config(
        epochs=1, steps=size.encoder_steps, bag_epochs=1, bag_steps=size.encoder_steps,
        encoder=dict(size.encoder),
    )  # fmt: skip
    with terminal.Stages() as stages:
        run_pipeline(files, config, folder, stage=stages.stage)
    return folder
