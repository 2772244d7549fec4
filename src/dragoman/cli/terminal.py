"""Terminal output: consoles, progress bars with rate and time left, warnings and errors."""

import json
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
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
_HIDDEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)


def visible(text: str) -> str:
    """``text`` of the same length without what would command a terminal or turn its lines round.

    Documents may hold escape sequences, bidirectional controls and lone surrogates.
    """
    return _HIDDEN.sub("\ufffd", text)


def plain(text: str) -> str:
    """``text`` made visible and escaped, so that a console does not read it as markup."""
    return escape(visible(text))


def print_json_line(value: object) -> None:
    """Print a value as one line of JSON."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def print_json(value: object) -> None:
    """Print one JSON document on standard output, never wrapped or coloured."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False, indent=2) + "\n")


def print_records(records: Sequence[Mapping[str, str]]) -> None:
    """Print each record: its name, then its other fields, one per line."""
    for record in records:
        out.print(f"[bold]{record['name']}[/]")
        for field, value in record.items():
            if field != "name":
                out.print(f"  {field:<10} {plain(value)}", soft_wrap=True)


def report(faults: Faults) -> None:
    """Print on standard error what was skipped, with the first examples."""
    if faults.skipped:
        sys.stderr.write("\n".join([*faults.examples, faults.summary()]) + "\n")


def fail(message: str, code: int = 2) -> NoReturn:
    """Print ``message`` on standard error and exit with ``code``."""
    err.print(
        f"[bold red]error:[/] {message}", markup=True
    ) if err.is_terminal else sys.stderr.write(f"error: {message}\n")
    raise SystemExit(code)


@contextmanager
def progress(label: str, total: int | None = None) -> Iterator[Advance]:
    """A progress callback: it updates a live bar on a terminal, or prints plain lines elsewhere."""
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
    """``progress`` that appears with its first step, for work that may be done already."""
    with ExitStack() as stack:
        bars: list[Advance] = []

        def advance(steps: int = 1) -> None:
            if not bars:
                bars.append(stack.enter_context(progress(label, total)))
            bars[0](steps)

        yield advance


def warn(warning: str) -> None:
    """Print a warning on standard error."""
    err.print(f"warning: {plain(warning)}", soft_wrap=True)


class Stages:
    """Progress bars for work in several stages, one after the other."""

    def __init__(self) -> None:
        self._open = ExitStack()

    def stage(self, name: str, total: int | None = None) -> Advance:
        """The progress callback of the stage that begins now; the stage before it ends."""
        self._open.close()
        return self._open.enter_context(progress(name, total))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()


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
