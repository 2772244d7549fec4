"""Folders -> a signal whenever files in them have changed and then rested."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Event

from watchfiles import watch

QUIET = 1600  # milliseconds without a change before files count as written
POLLED = 2000  # milliseconds between two looks at folders that have to be polled
UNDECODABLE = "Unable to decode path"  # in the error of watchfiles about a name that is no UTF-8


def changes(folders: Sequence[Path], stop: Event | None = None) -> Iterator[int]:
    """How many files have changed, each time that some have.

    The kernel also reports that a file was looked at. Of a name that is no UTF-8 it cannot be
    told whether this or a change was reported, so folders with such names are polled.
    """
    polled = missed = False
    while True:
        try:
            for changed in watch(
                *folders,
                debounce=QUIET,
                stop_event=stop,
                raise_interrupt=True,
                force_polling=True if polled else None,
                poll_delay_ms=POLLED,
                rust_timeout=POLLED,
                yield_on_timeout=missed,
            ):
                if changed or missed:
                    missed = False
                    yield max(1, len(changed))
        except RuntimeError as error:
            if UNDECODABLE not in str(error):
                raise
            polled = missed = True  # reported when the folders are watched again
        else:
            return
