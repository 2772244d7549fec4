"""Requests -> worker threads: few at the same time, a bounded queue, refusals before collapse.

Searching is bound by the processor, so there are as many workers as cores. What does not fit into
the queue is refused at once, before its body is read; work that no client waits for any more is
dropped before it starts and between its stages.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import TypeVar

from starlette.types import Receive

from dragoman.service.problems import Abandoned, Problem

T = TypeVar("T")
RETRY = {"Retry-After": "1"}


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

    @property
    def is_full(self) -> bool:
        """Whether the next request would be refused."""
        return self.admitted >= self._most

    def refuse_when_full(self) -> None:
        """Refuse a request that the queue has no place for."""
        if self.is_full:
            raise Problem(
                503, "overloaded", "Too many requests are waiting; try again soon.", RETRY
            )

    async def run(self, receive: Receive, work: Callable[[Ticket], T]) -> T:
        """The result of ``work``, which runs in a worker and checks its ticket between stages.

        The body of the request must have been read: ``receive`` then reports a disconnect.
        """
        self.refuse_when_full()
        ticket, context = Ticket(), copy_context()
        self.admitted += 1
        future = asyncio.get_running_loop().run_in_executor(
            self._executor, context.run, _begin, ticket, work
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

    def _leave(self, done: asyncio.Future[T]) -> None:
        self.admitted -= 1
        if not done.cancelled():
            done.exception()  # of work that was abandoned: read, so that asyncio reports none

    def close(self) -> None:
        """Wait for running work, and drop what has not begun."""
        self._executor.shutdown(wait=True, cancel_futures=True)


def _begin(ticket: Ticket, work: Callable[[Ticket], T]) -> T:
    ticket.check()
    return work(ticket)


async def _watch(receive: Receive, ticket: Ticket) -> None:
    """Abandon the ticket when the client disconnects."""
    with suppress(Problem):  # with a body that no one reads
        while (await receive())["type"] != "http.disconnect":
            pass
        ticket.abandon()
