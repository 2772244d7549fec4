"""Whether the service lives and is ready."""

import time


def test_the_process_is_alive(client):
    assert client.get("/v1/health").json() == {"status": "alive"}


def test_the_service_is_ready_when_its_indexes_are_loaded(client):
    catalog = client.app.state.service.catalog
    while not catalog.is_warm:
        time.sleep(0.01)
    assert client.get("/v1/ready").json() == {"status": "ready"}
    warm = set(catalog._warm)
    catalog._warm.clear()
    answer = client.get("/v1/ready")
    catalog._warm.update(warm)
    assert (answer.status_code, answer.json()["code"]) == (503, "not_ready")
