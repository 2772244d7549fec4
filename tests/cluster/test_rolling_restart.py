"""Two services over one cluster are restarted one after the other; their callers see no error."""

import threading
from contextlib import ExitStack

import httpx

import dragoman
from dragoman.cluster.address import parse_cluster_address
from dragoman.cluster.building import build_in_cluster
from dragoman.types import Document
from qdrant_nodes import wait_until
from served import served

DOCUMENTS = [Document(f"d{n}", f"bread number{n}", "", "en") for n in range(20)]


class Balancer:
    """Asks the services in turn, and the next one where one is not there, as a proxy does."""

    def __init__(self, services: list[str]) -> None:
        self._services, self._turn = services, 0
        self._requests = threading.Lock()

    def get(self, path: str) -> httpx.Response:
        self._turn += 1
        refusals = []
        with self._requests:
            for attempt in range(len(self._services)):
                service = self._services[(self._turn + attempt) % len(self._services)]
                try:
                    answer = httpx.get(f"{service}{path}", timeout=20)
                except httpx.TransportError as error:
                    refusals.append(repr(error))
                    continue
                if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                    return answer
                refusals.append(answer.text)
        raise AssertionError(f"no service answered: {refusals}")

    def replace(self, place: int, service: str) -> None:
        """Waits for requests that go by the old list, which lacks the new service."""
        with self._requests:
            self._services[place] = service


def is_ready(service: str) -> bool:
    return httpx.get(f"{service}v1/ready", timeout=20).is_success


def test_callers_see_no_error_while_services_are_restarted(cluster, tmp_path):
    address = cluster.address("rolling", read_seconds=6)
    build_in_cluster(
        DOCUMENTS,
        parse_cluster_address(address),
        system="bm25",
        version=dragoman.__version__,
        settings={"translate": False},
    ).close()
    arguments = (address, "--state", tmp_path / "state", "--log-level", "warning")
    found: list[object] = []
    ended = threading.Event()
    with ExitStack() as stack:
        running = [stack.enter_context(served(*arguments)) for _ in range(2)]
        for _, service in running:
            wait_until(lambda service=service: is_ready(service), "a service that is ready")
        balancer = Balancer([service for _, service in running])

        def ask() -> None:
            while not ended.is_set():
                answer = balancer.get("v1/search?query=bread+number7&language=en&k=1")
                found.append([hit["id"] for hit in answer.json()["hits"]])

        asking = threading.Thread(target=ask)
        asking.start()
        for place in range(2):
            running[place][0].terminate()
            running[place][0].wait()
            _, service = stack.enter_context(served(*arguments))
            wait_until(lambda service=service: is_ready(service), "a service that is ready")
            balancer.replace(place, service)
        ended.set()
        asking.join()
    assert len(found) > 10
    assert {*map(str, found)} == {"['d7']"}
