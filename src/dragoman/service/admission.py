"""Requests -> worker threads: few at the same time, a bounded queue, refusals before collapse.

Searching is bound by the processor, so there are as many workers as cores. What does not fit into
the queue is refused at once, before its body is read; work that no client waits for any more is
dropped before it starts and between its stages.
"""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import TypeVar

from starlette.types import Receive

from dragoman.service.problems import Abandoned, Problem

T = TypeVar("T")
RETRY = {"Retry-After": "1"}
LONGEST_RETRY = 30  # seconds
RECENT = 20  # pieces of work that the running mean is about


class Ticket:
    """A request's place at the workers."""

    def __init__(self) -> None:
        self.is_abandoned = False

    def abandon(self) -> None:
        """Note that no one waits for the result any more."""
        self.is_abandoned = True

    def check(self) -> None:
        """Stop the work between two stages if no one waits for its result."""
        if self.is_abandoned:
            raise Abandoned


class Workers:
    """Threads that search, with a bounded queue in front of them."""

    def __init__(self, threads: int, waiting: int, seconds: float) -> None:
        self._executor = ThreadPoolExecutor(threads, "search")
        self._most = threads + waiting
        self._seconds = seconds
        self.threads = threads
        self.admitted = 0  # waiting or running
        self._usual = 0.0  # seconds of work, a running mean; one slow start does not count for much

    @property
    def expected_wait(self) -> float:
        """How many seconds the next request would wait for a worker, by recent work."""
        return max(0, self.admitted - self.threads + 1) * self._usual / self.threads

    @property
    def is_full(self) -> bool:
        """Whether the next request would be refused: no place, or no time to come to it."""
        return self.admitted >= self._most or self.expected_wait > self._seconds

    def refuse_when_full(self) -> None:
        """Refuse a request that the queue has no place for."""
        if self.is_full:
            seconds = min(LONGEST_RETRY, max(1, round(self.expected_wait / 2)))
            detail = "Too many requests are waiting; try again soon."
            raise Problem(503, "overloaded", detail, {"Retry-After": str(seconds)})

    async def run(self, receive: Receive, work: Callable[[Ticket], T]) -> T:
        """The result of ``work``, which runs in a worker and checks its ticket between stages.

        The body of the request must have been read: ``receive`` then reports a disconnect.
        """
        self.refuse_when_full()
        ticket, context = Ticket(), copy_context()
        self.admitted += 1
        future = asyncio.get_running_loop().run_in_executor(
            self._executor, context.run, self._begin, ticket, work
        )
        future.add_done_callback(self._leave)
        watching = asyncio.ensure_future(_watch(receive, ticket))
        try:
            async with asyncio.timeout(self._seconds):
                return await asyncio.shield(future)
        except TimeoutError as error:
            detail = f"The request took more than {self._seconds:g} s; try again later."
            raise Problem(503, "timeout", detail, RETRY) from error
        finally:
            ticket.abandon()
            watching.cancel()

    def _begin(self, ticket: Ticket, work: Callable[[Ticket], T]) -> T:
        ticket.check()
        started = time.perf_counter()
        try:
            return work(ticket)
        finally:
            spent = time.perf_counter() - started
            self._usual += (spent - self._usual) / RECENT

    def _leave(self, done: asyncio.Future[T]) -> None:
        self.admitted -= 1
        if not done.cancelled():
            done.exception()  # of work that was abandoned: read, so that asyncio reports none

    def close(self) -> None:
        """Wait for running work, and drop what has not begun."""
        self._executor.shutdown(wait=True, cancel_futures=True)


async def _watch(receive: Receive, ticket: Ticket) -> None:
    """Abandon the ticket when the client disconnects."""
    with suppress(Problem):  # with a body that no one reads
        while (await receive())["type"] != "http.disconnect":
            pass
        ticket.abandon()
