"""Ctrl-C while a model is trained: the step ends, everything is saved, and only then it stops."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StopRequest:
    """Whether somebody asked to stop."""

    def __init__(self) -> None:
        self.to_stop = False


@contextmanager
def catch_interrupt() -> Iterator[StopRequest]:
    """Turn the first SIGINT into a wish to stop; a second one interrupts at once.

    Outside of the main thread signals cannot be caught, and nothing changes.
    """
    asked = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield asked
        return
    before = signal.getsignal(signal.SIGINT)

    def ask(number: int, frame: FrameType | None) -> None:
        asked.to_stop = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, ask)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, before)
