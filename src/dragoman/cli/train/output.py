"""What the training commands print: progress, how to resume after Ctrl-C, the report."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dragoman.cli import terminal
from dragoman.text.files import Faults


@contextmanager
def training_stages(output: Path) -> Iterator[terminal.Stages]:
    """Progress of a training; after Ctrl-C or an error, a note says where it is saved."""
    from dragoman.training.workspace import workspace_of

    try:
        with terminal.Stages() as stages:
            yield stages
    except BaseException as error:
        work = workspace_of(output)
        if work.is_dir() and not any(work.iterdir()):
            work.rmdir()
        elif work.is_dir():
            error.add_note(
                f"The training so far is in {work}: the same command resumes it; with --restart it"
                " begins anew."
            )
        raise


def print_report(
    report: dict[str, Any],
    show: Callable[[dict[str, Any]], None],
    *,
    as_json: bool,
    faults: Faults | None = None,
) -> None:
    """Print a training's report as JSON, or as text by ``show``; in the main process only."""
    from dragoman.training.distributed import is_main_process

    if not is_main_process():
        return
    if faults is not None:
        terminal.report(faults)
    if as_json:
        terminal.print_json(report)
    else:
        show(report)


def print_best_epoch(output: Path, model: str, report: dict[str, Any], data: str = "") -> None:
    """One line: where the model is, of which epoch, and what it was measured on."""
    measured = f", measured on {data}" if data else ""
    terminal.out.print(
        f"{terminal.plain(str(output))}: {model} of epoch {report['best_epoch']} of"
        f" {report['epochs']}{measured}",
        soft_wrap=True,
    )
