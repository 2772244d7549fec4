"""What a person sees: consoles, progress with rate and time left, errors as answers."""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NoReturn, Self

from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from dragoman.protocols import Advance
from dragoman.text.files import Faults

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)

SECONDS_BETWEEN_LINES = 10.0


def plain(text: str) -> str:
    """Text that a console prints as it is, even where it looks like markup."""
    return escape(text)


def print_json(value: object) -> None:
    """One JSON document on standard output, never wrapped or coloured."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def is_for_people(result: object, *, as_json: bool, faults: Faults | None = None) -> bool:
    """Whether a training's result is still to be told in words; as JSON it is printed here.

    Of processes that train together only the first one speaks.
    """
    from dragoman.training.sharing import is_main_process

    if not is_main_process():
        return False
    if faults is not None:
        report(faults)
    if as_json:
        print_json(result)
    return not as_json


def report(faults: Faults) -> None:
    """Say on standard error what was skipped, with the first examples."""
    if faults.skipped:
        sys.stderr.write("\n".join([*faults.examples, faults.summary()]) + "\n")


def fail(message: str, code: int = 2) -> NoReturn:
    """Print ``message`` to standard error and leave with ``code``."""
    err.print(
        f"[bold red]error:[/] {message}", markup=True
    ) if err.is_terminal else sys.stderr.write(f"error: {message}\n")
    raise SystemExit(code)


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Advance]:
    """A function to call with every step done: a live bar on a terminal, plain lines elsewhere."""
    if err.is_terminal:
        with Progress(
            SpinnerColumn(),
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=err,
            transient=True,
        ) as bar:
            task = bar.add_task(label, total=total, rate="")
            started = time.monotonic()

            def advance(steps: int = 1) -> None:
                bar.update(task, advance=steps)
                done = bar.tasks[0].completed
                seconds = max(time.monotonic() - started, 1e-9)
                bar.update(task, rate=f"{done / seconds:,.0f}/s")

            yield advance
    else:
        yield from _plain_lines(label, total)


@contextmanager
def late_progress(label: str, total: int | None = None) -> Iterator[Advance]:
    """``progress`` that appears with its first step, for work that may turn out to be done."""
    with ExitStack() as begun:
        told: list[Advance] = []

        def advance(steps: int = 1) -> None:
            if not told:
                told.append(begun.enter_context(progress(label, total)))
            told[0](steps)

        yield advance


def warn(warning: str) -> None:
    """Say on standard error what a person should know beside the answer."""
    err.print(f"warning: {plain(warning)}", soft_wrap=True)


class Stages:
    """Progress of work in several stages, one bar after the other."""

    def __init__(self) -> None:
        self._open = ExitStack()

    def stage(self, name: str, total: int | None) -> Advance:
        """The callback for the stage that begins now; the one before has ended."""
        self._open.close()
        return self._open.enter_context(progress(name, total))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()


@contextmanager
def training_stages() -> Iterator[Stages]:
    """The stages of a training that Ctrl-C saves; then how to go on is said."""
    from dragoman.training.fitting import Interrupted

    try:
        with Stages() as stages:
            yield stages
    except Interrupted:
        fail("interrupted; the same command goes on where it stopped", 130)


def _plain_lines(label: str, total: int | None) -> Iterator[Advance]:
    started = last = time.monotonic()
    done = 0

    def line() -> str:
        seconds = max(time.monotonic() - started, 1e-9)
        of_total = f" of {total:,}" if total else ""
        left = f", {(total - done) * seconds / done:,.0f} s left" if total and done else ""
        return f"{label}: {done:,}{of_total} ({done / seconds:,.0f}/s{left})\n"

    def advance(steps: int = 1) -> None:
        nonlocal done, last
        done += steps
        if time.monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            sys.stderr.write(line())

    yield advance
    sys.stderr.write(line())
