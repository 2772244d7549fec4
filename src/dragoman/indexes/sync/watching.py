"""Folders -> a signal whenever files in them have changed and then rested."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event

from watchfiles import watch

QUIET = 1600  # milliseconds without a change before files count as written


def changes(folders: Sequence[Path], stop: Event | None = None) -> Iterator[int]:
    """How many files have changed, each time that some have."""
    for changed in watch(*folders, debounce=QUIET, stop_event=stop, raise_interrupt=True):
        yield len(changed)
