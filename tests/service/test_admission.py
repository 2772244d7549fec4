"""Workers: few at a time, a bounded queue, nothing for clients that are gone."""

import asyncio
import threading

import pytest

from dragoman.service.admission import Workers
from dragoman.service.problems import Abandoned, Problem


async def never():
    await asyncio.Event().wait()


async def gone():
    return {"type": "http.disconnect"}


def test_the_result_of_the_work_comes_back():
    async def run():
        workers = Workers(1, 1, 5)
        assert await workers.run(never, lambda _: 42) == 42
        assert workers.admitted == 0

    asyncio.run(run())


def test_what_does_not_fit_into_the_queue_is_refused_at_once():
    async def run():
        workers, release = Workers(1, 2, 60), threading.Event()
        tasks = [asyncio.create_task(workers.run(never, lambda _: release.wait())) for _ in "abc"]
        await asyncio.sleep(0)
        assert workers.is_full
        with pytest.raises(Problem, match="waiting") as caught:
            await workers.run(never, lambda _: None)
        assert (caught.value.status_code, caught.value.headers["Retry-After"]) == (503, "1")
        release.set()
        assert await asyncio.gather(*tasks) == [True] * 3
        assert await workers.run(never, lambda _: "again") == "again"

    asyncio.run(run())


def test_work_of_a_client_that_left_does_not_begin():
    async def run():
        workers, release, begun = Workers(1, 5, 60), threading.Event(), []
        first = asyncio.create_task(workers.run(never, lambda _: release.wait()))
        second = asyncio.create_task(workers.run(gone, lambda _: begun.append(1)))
        await asyncio.sleep(0.05)
        release.set()
        await first
        with pytest.raises(Abandoned):
            await second
        assert not begun

    asyncio.run(run())


def test_work_stops_between_stages_when_its_client_leaves():
    async def run():
        workers, started, left = Workers(1, 5, 60), threading.Event(), asyncio.Event()

        async def leaves():
            await left.wait()
            return {"type": "http.disconnect"}

        def work(ticket):
            started.set()
            while True:  # stages without end
                ticket.check()

        task = asyncio.create_task(workers.run(leaves, work))
        await asyncio.to_thread(started.wait)
        left.set()
        with pytest.raises(Abandoned):
            await task

    asyncio.run(run())


def test_work_that_takes_too_long_is_answered_and_stopped():
    async def run():
        workers, stopped = Workers(1, 5, 0.01), threading.Event()

        def work(ticket):
            try:
                while True:
                    ticket.check()
            finally:
                stopped.set()

        with pytest.raises(Problem, match="took more than") as caught:
            await workers.run(never, work)
        assert (caught.value.status_code, caught.value.code) == (503, "timeout")
        assert await asyncio.to_thread(stopped.wait, 10)

    asyncio.run(run())


def test_a_request_that_would_wait_too_long_is_refused_though_there_is_a_place():
    async def run():
        workers, release = Workers(1, 100, 2), threading.Event()
        workers._usual = 1.5
        tasks = [asyncio.create_task(workers.run(never, lambda _: release.wait())) for _ in "ab"]
        await asyncio.sleep(0)
        assert workers.expected_wait == 3.0
        with pytest.raises(Problem, match="waiting") as caught:
            await workers.run(never, lambda _: None)
        assert caught.value.headers["Retry-After"] == "2"
        release.set()
        await asyncio.gather(*tasks)
        assert await workers.run(never, lambda _: "again") == "again"

    asyncio.run(run())


def test_one_slow_start_refuses_no_one(monkeypatch):
    async def run():
        workers, clock = Workers(1, 100, 20), iter([0.0, 5.0])
        monkeypatch.setattr("dragoman.service.admission.time.perf_counter", lambda: next(clock))
        await workers.run(never, lambda _: None)
        workers.admitted = 32
        assert workers.expected_wait == 32 * 5.0 / 20
        assert not workers.is_full

    asyncio.run(run())
