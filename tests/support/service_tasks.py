"""Uploads to a service that is called without a network, and waiting for their tasks."""

import time
from typing import Any

from httpx import Response
from starlette.testclient import TestClient

SECONDS = 60.0  # that a task may take on a busy machine


def upload(client: TestClient, *files: tuple[str, bytes], query: str = "") -> Response:
    """The answer to an upload of files."""
    return client.post(f"/v1/files{query}", files=[("files", one) for one in files])


def wait(client: TestClient, answer: Response) -> dict[str, Any]:
    """The accepted task, when it has ended."""
    assert answer.status_code == 202, answer.text
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        task: dict[str, Any] = client.get(f"/v1/tasks/{answer.json()['task']['id']}").json()
        if task["finished"]:
            return task
        time.sleep(0.05)
    raise AssertionError(f"the task has not ended: {task}")


def leftovers(client: TestClient) -> list[str]:
    """What is in the spools of a service."""
    state = client.app.state.service.writers.state  # type: ignore[attr-defined]
    return [one.name for spool in state.rglob("spool") for one in spool.iterdir()]
