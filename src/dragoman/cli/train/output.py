"""What the training commands print: progress, how to resume after Ctrl-C, the report."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from dragoman.cli import terminal
from dragoman.text.files import Faults


@contextmanager
def training_stages() -> Iterator[terminal.Stages]:
    """Progress of a training that Ctrl-C saves; then it prints how to resume."""
    from dragoman.training.trainer import Interrupted

    try:
        with terminal.Stages() as stages:
            yield stages
    except Interrupted:
        terminal.fail("interrupted; the same command resumes the training", 130)


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
