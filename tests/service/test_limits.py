"""Limits at the door."""

import asyncio

import pytest

from dragoman.service.config import ServiceConfig
from dragoman.service.limits import CLIENTS, BoundedBody, Rates
from dragoman.service.problems import Problem
from small_service import small_service


def test_a_client_has_its_rate_and_a_burst():
    rates = Rates(10)
    assert [rates.wait("a", 0.0) for _ in range(20)] == [0.0] * 20
    assert rates.wait("a", 0.0) == pytest.approx(0.1)
    assert rates.wait("b", 0.0) == 0.0
    assert rates.wait("a", 0.11) == 0.0
    assert rates.wait("a", 0.11) > 0


def test_a_rate_of_zero_sets_no_limit():
    rates = Rates(0)
    assert not any(rates.wait("a", 0.0) for _ in range(1000))


def test_the_memory_of_clients_is_bounded():
    rates = Rates(1)
    for number in range(CLIENTS + 10):
        rates.wait(str(number), 0.0)
    assert len(rates._buckets) == CLIENTS


def test_too_many_requests_of_one_client_are_told_when_to_try_again(tmp_path):
    with small_service(tmp_path, ServiceConfig(rate=1)) as client:
        answers = [client.get("/v1/indexes") for _ in range(4)]
        refused = answers[-1]
        assert [one.status_code for one in answers] == [200, 200, 429, 429]
        assert refused.json()["code"] == "too_many_requests"
        assert refused.headers["retry-after"] == "1"
        assert refused.headers["x-request-id"] == refused.json()["request_id"]
        assert client.get("/v1/health").status_code == 200


def test_a_large_body_is_refused_whether_its_length_is_declared_or_not(tmp_path):
    with small_service(tmp_path, ServiceConfig(body_bytes=1000)) as client:
        declared = client.post("/v1/search:batch", content=b" " * 1001)
        chunks = client.post("/v1/search:batch", content=iter([b" " * 600, b" " * 600]))
        for answer in (declared, chunks):
            assert (answer.status_code, answer.json()["code"]) == (413, "body_too_large")


def test_a_body_that_comes_too_slowly_is_refused():
    async def run():
        body = BoundedBody(asyncio.Event().wait, 100, 0.01)
        with pytest.raises(Problem, match="took more") as caught:
            await body.receive()
        assert caught.value.status_code == 408

    asyncio.run(run())
