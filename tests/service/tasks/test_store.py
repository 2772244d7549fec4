import pytest

from dragoman.service.tasks.store import (
    MOST_FINISHED,
    TaskKind,
    TaskState,
    TaskStore,
    index_state,
)
from dragoman.types import Document


@pytest.fixture
def store(tmp_path):
    opened = TaskStore(tmp_path)
    yield opened
    opened.close()


def accept(store, name="a"):
    return store.accept(name, TaskKind.DOCUMENTS, 3, {"replace": True})


def test_a_task_is_there_when_the_database_is_opened_again(store, tmp_path):
    accept(store)
    again = TaskStore(tmp_path)
    task = again.get("a")
    again.close()
    assert (task.kind, task.state, task.total) == (TaskKind.DOCUMENTS, TaskState.QUEUED, 3)
    assert task.options == {"replace": True}


def test_the_journal_is_a_write_ahead_log_that_is_flushed(store):
    with store.database.connection() as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_tasks_wait_in_the_order_in_which_they_were_accepted(store):
    accept(store, "first")
    accept(store, "second")
    assert store.waiting().task_id == "first"
    store.begin(store.waiting())
    assert store.waiting().task_id == "second"
    assert [one.task_id for one in store.tasks(10)] == ["second", "first"]
    assert [one.task_id for one in store.tasks(10, before=2)] == ["first"]


def test_a_cancelled_task_does_not_begin(store):
    task = accept(store)
    assert store.finish(task, TaskState.CANCELLED)
    assert not store.begin(task)
    assert not store.finish(task, TaskState.DONE)
    assert store.get("a").state is TaskState.CANCELLED


def test_attempts_count_unless_the_task_is_blameless(store):
    task = accept(store)
    store.begin(task)
    store.wait_again(task, "it ended", blameless=False)
    assert store.get("a").attempts == 1
    store.begin(task)
    store.wait_again(task, "", blameless=True)
    assert store.get("a").attempts == 1


def test_errors_replace_earlier_ones(store):
    task = accept(store)
    store.report(task, [("a.pdf", "broken")])
    store.report(task, [("b.pdf", "empty"), ("c.pdf", "broken")])
    assert store.get("a").errors == (("b.pdf", "empty"), ("c.pdf", "broken"))


def test_a_write_overtakes_only_tasks_that_were_accepted_before(store):
    before = accept(store, "before")
    number = store.overtake("x", Document("x", "text", "", "en", {"year": 1}))
    store.settle(number, applied=True)
    after = accept(store, "after")
    assert store.overtaken(before) == {"x"}
    assert store.overtaken(after) == set()


def test_without_tasks_a_write_leaves_no_record(store):
    assert store.overtake("x", None) is None
    assert store.unsettled() == []


def test_interrupted_writes_come_back_in_their_order(store):
    accept(store)
    document = Document("x", "text \ud800", "title", "en", {"tags": ["a"]})
    first = store.overtake("x", document)
    second = store.overtake("x", None)
    assert store.unsettled() == [(first, "x", document), (second, "x", None)]
    store.settle(first, applied=False)
    store.settle(second, applied=True)
    assert store.unsettled() == []
    assert store.overtaken(store.get("a")) == {"x"}


def test_records_of_writes_are_forgotten_with_the_last_task(store):
    task = accept(store)
    store.settle(store.overtake("x", None), applied=True)
    store.finish(task, TaskState.DONE)
    with store.database.connection() as connection:
        assert connection.execute("SELECT COUNT(*) FROM overtakes").fetchone() == (0,)


def test_old_tasks_are_forgotten_with_their_errors(store):
    task = accept(store, "old")
    store.report(task, [("a", "b")])
    store.finish(task, TaskState.DONE)
    with store.database.write_transaction() as connection:
        connection.execute("UPDATE sqlite_sequence SET seq = ?", (MOST_FINISHED + 5,))
    store.finish(accept(store, "new"), TaskState.DONE)
    assert store.get("old") is None
    with store.database.connection() as connection:
        assert connection.execute("SELECT COUNT(*) FROM errors").fetchone() == (0,)


def test_two_indexes_of_one_name_have_folders_of_their_own(tmp_path):
    one = index_state(tmp_path, tmp_path / "a" / "index")
    other = index_state(tmp_path, tmp_path / "b" / "index")
    assert one != other
    assert one.name.startswith("index-")
    assert one == index_state(tmp_path, tmp_path / "a" / "x" / ".." / "index")
