"""Ctrl-C during a training: the current step ends and a checkpoint is saved before it stops."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class StopRequest:
    """Whether a stop was requested."""

    def __init__(self) -> None:
        self.requested = False


@contextmanager
def catch_interrupt() -> Iterator[StopRequest]:
    """Turn the first SIGINT into a stop request; a second one interrupts at once.

    Has no effect outside of the main thread, where signals cannot be caught.
    """
    stop = StopRequest()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    before = signal.getsignal(signal.SIGINT)

    def request_stop(number: int, frame: FrameType | None) -> None:
        stop.requested = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, request_stop)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)
