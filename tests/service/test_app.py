"""A real process: it is killed, and another one writes to its index meanwhile."""

import subprocess
import sys
import time

import httpx

from served import served
from small_index import small_index

HEADERS = {"X-Dragoman": "1"}
SECONDS = 60


def wait(client, task_id):
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        task = client.get(f"/v1/tasks/{task_id}").json()
        if task["finished"]:
            return task
        time.sleep(0.1)
    raise AssertionError(task)


def test_what_was_acknowledged_over_http_survives_kill_9(tmp_path):
    index, state = small_index(tmp_path / "letters"), tmp_path / "state"
    documents = [{"id": f"d{n}", "text": f"Number {n}.", "language": "en"} for n in range(1500)]
    with (
        served(index, "--state", state) as (process, where),
        httpx.Client(base_url=where, headers=HEADERS) as client,
    ):
        batch = client.post("/v1/documents:batch", json={"documents": documents})
        files = client.post("/v1/files", files=[("files", ("a.txt", b"An uploaded text."))])
        put = client.put("/v1/documents/d7", json={"text": "Written later.", "language": "en"})
        gone = client.delete("/v1/documents/tide")
        process.kill()
    assert [one.status_code for one in (batch, files, put, gone)] == [202, 202, 200, 204]
    with (
        served(index, "--state", state) as (_, where),
        httpx.Client(base_url=where, headers=HEADERS) as client,
    ):
        for answer in (batch, files):
            assert wait(client, answer.json()["task"]["id"])["state"] == "done"
        total = client.get("/v1/documents?limit=1").json()["total"]
        assert total == 3 + 1500 + 1  # without the deleted one
        assert client.get("/v1/documents/d7").json()["text"] == "Written later."
        assert client.get("/v1/documents/d1499").status_code == 200
        assert client.get("/v1/documents/uploads/a.txt").json()["text"] == "An uploaded text."
        assert client.get("/v1/documents/tide").status_code == 404


def test_sync_works_on_the_index_of_a_running_service(tmp_path):
    index, folder = small_index(tmp_path / "letters"), tmp_path / "notes"
    folder.mkdir()
    (folder / "a.txt").write_text("The lighthouse keeper writes every evening.")
    with (
        served(index, "--state", tmp_path / "state") as (_, where),
        httpx.Client(base_url=where, headers=HEADERS) as client,
    ):
        client.put("/v1/documents/before", json={"text": "Before.", "language": "en"})
        command = [sys.executable, "-m", "dragoman", "sync", str(folder), "-o", str(index)]
        subprocess.run(command, check=True, capture_output=True)
        hits = client.get("/v1/search?query=lighthouse&language=en").json()["hits"]
        assert [one["id"] for one in hits] == ["notes/a.txt"]
        after = client.put("/v1/documents/after", json={"text": "After.", "language": "en"})
        assert after.status_code == 200
        assert client.get("/v1/documents?limit=1").json()["total"] == 4 + 3


def test_an_address_that_others_reach_needs_keys(tmp_path):
    index, state = small_index(tmp_path / "letters"), tmp_path / "state"
    options = ["--host", "0.0.0.0", "--port", "0", "--state", str(state)]  # noqa: S104
    command = [sys.executable, "-m", "dragoman", "serve", str(index), *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 2
    assert "dragoman keys add NAME" in done.stderr
