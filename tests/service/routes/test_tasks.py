import pytest

from dragoman.service.routes import tasks as module
from dragoman.service.tasks.writer import Writer
from service_tasks import leftovers, upload, wait
from small_service import small_service

MANY = {"documents": [{"id": f"d{n}", "text": "text", "language": "en"} for n in range(3)]}


@pytest.fixture
def paused(tmp_path, monkeypatch):
    """A service whose tasks wait for ever."""
    monkeypatch.setattr(Writer, "_run_tasks", lambda _: None)
    with small_service(tmp_path) as client:
        yield client


def test_without_writes_there_are_no_tasks(tmp_path):
    with small_service(tmp_path) as client:
        assert client.get("/v1/tasks").json() == {"tasks": [], "next": None}
        assert client.get("/v1/tasks/abc").json()["code"] == "unknown_task"
        assert not (tmp_path / "state").exists()


def test_tasks_are_listed_by_cursor(paused):
    ids = [paused.post("/v1/documents:batch", json=MANY).json()["task"]["id"] for _ in range(3)]
    first = paused.get("/v1/tasks?limit=2").json()
    second = paused.get(f"/v1/tasks?limit=2&cursor={first['next']}").json()
    assert [one["id"] for one in first["tasks"] + second["tasks"]] == ids[::-1]
    assert second["next"] is None
    assert {one["state"] for one in first["tasks"]} == {"queued"}


@pytest.mark.parametrize("cursor", ["a", "-1", "9" * 19, "9" * 50, "1;drop"])
def test_a_forged_cursor_is_a_problem(paused, cursor):
    assert paused.get(f"/v1/tasks?cursor={cursor}").status_code in (400, 422)


def test_a_waiting_task_is_cancelled_and_its_data_removed(paused):
    task = upload(paused, ("a.txt", b"text")).json()["task"]
    for _ in range(2):
        answer = paused.delete(f"/v1/tasks/{task['id']}")
        assert (answer.status_code, answer.json()["state"]) == (200, "cancelled")
    assert leftovers(paused) == []


def test_a_task_of_an_earlier_service_is_done_by_the_next(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(Writer, "_run_tasks", lambda _: None)
        with small_service(tmp_path) as client:
            answer = client.post("/v1/documents:batch", json=MANY)
    with small_service(tmp_path / "letters" / "..") as client:
        assert wait(client, answer)["state"] == "done"
        assert client.get("/v1/documents/d2").status_code == 200


def test_more_tasks_than_may_wait_are_refused(paused, monkeypatch):
    monkeypatch.setattr(module, "MOST_WAITING", 1)
    assert paused.post("/v1/documents:batch", json=MANY).status_code == 202
    answer = paused.post("/v1/documents:batch", json=MANY)
    assert (answer.status_code, answer.json()["code"]) == (503, "tasks_full")
    assert answer.headers["Retry-After"]


def test_more_uploads_at_once_than_are_taken_are_refused(paused, monkeypatch):
    monkeypatch.setattr(module, "MOST_UPLOADS", 0)
    answer = upload(paused, ("a.txt", b"text"))
    assert (answer.status_code, answer.json()["code"]) == (503, "uploads_full")


def test_a_second_service_of_the_index_only_searches(paused, tmp_path):
    paused.post("/v1/documents:batch", json=MANY)
    with small_service(tmp_path) as other:
        assert other.get("/v1/search?query=tide").status_code == 200
        answer = other.put("/v1/documents/a", json={"text": "a"})
        assert (answer.status_code, answer.json()["code"]) == (409, "other_writer")
        assert str(tmp_path) not in answer.text


def test_an_index_that_cannot_be_written_is_only_searched(paused, monkeypatch):
    index = paused.app.state.service.catalog.only
    monkeypatch.setattr(index.store.database, "is_writable", False)
    answer = paused.put("/v1/documents/a", json={"text": "a"})
    assert (answer.status_code, answer.json()["code"]) == (409, "read_only")
