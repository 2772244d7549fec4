import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dragoman.errors import ConfigError
from dragoman.indexes.index import Index
from dragoman.service.tasks import writer as module
from dragoman.service.tasks.store import TaskState
from dragoman.service.tasks.writer import Writer, WriterFull
from dragoman.storage.database import StorageError
from dragoman.types import Document
from small_writer import (
    accept_documents,
    accept_files,
    ended,
    numbered_documents,
    small_writer,
)


def test_a_document_is_in_the_index_when_its_write_is_done(tmp_path):
    with small_writer(tmp_path) as writer:
        assert writer.put(Document("new", "A new document.", "", "en")).result()
        assert writer.index.get("new").text == "A new document."
        assert writer.delete("new").result()
        assert not writer.delete("new").result()


def test_a_task_adds_its_documents(tmp_path):
    with small_writer(tmp_path) as writer:
        task = ended(writer, accept_documents(writer, numbered_documents(150)))
        assert (task.state, task.done, task.added) == (TaskState.DONE, 150, 150)
        assert writer.index.get("d149").text == "The document number 149."
        assert [*writer.spool.folder.iterdir()] == []


def test_a_document_that_is_written_while_a_task_waits_is_the_later_one(tmp_path):
    with small_writer(tmp_path) as writer:
        task = accept_documents(writer, numbered_documents(100))
        writer.put(Document("d50", "Written later.", "", "en")).result()
        writer.delete("d60").result()
        task = ended(writer, task)
        assert task.state is TaskState.DONE
        assert writer.index.get("d50").text == "Written later."
        assert writer.index.documents(["d60", "d61"])[0] is None
        later = ended(writer, accept_documents(writer, numbered_documents(61)))
        assert later.added == 61
        assert writer.index.get("d50").text == "The document number 50."


def test_a_refused_write_does_not_keep_a_task_from_its_document(tmp_path, monkeypatch):
    with small_writer(tmp_path) as writer:
        task = accept_documents(writer, numbered_documents(3))

        def refuse(*_):
            raise OSError("no")

        with monkeypatch.context() as patch:
            patch.setattr(writer.index, "add", refuse)
            with pytest.raises(OSError, match="no"):
                writer.put(Document("d1", "Refused.", "", "en")).result()
        ended(writer, task)
        assert writer.index.get("d1").text == "The document number 1."


def test_a_waiting_task_can_be_cancelled(tmp_path, monkeypatch):
    monkeypatch.setattr(Writer, "_run_tasks", lambda _: None)
    with small_writer(tmp_path) as writer:
        task = accept_documents(writer, numbered_documents(3))
        assert writer.cancel(task)
        assert not writer.cancel(task)
        assert writer.store.get(task.task_id).state is TaskState.CANCELLED
        assert [*writer.spool.folder.iterdir()] == []


def test_a_running_task_can_be_cancelled(tmp_path):
    with small_writer(tmp_path) as writer:
        task = accept_documents(writer, numbered_documents(20_000))
        writer.wake()
        wait_for(lambda: writer.store.get(task.task_id).done > 0)
        assert writer.cancel(writer.store.get(task.task_id))
        wait_for(lambda: not [*writer.spool.folder.iterdir()])
        assert writer.store.get(task.task_id).state is TaskState.CANCELLED
        assert 0 < writer.index.count() < 20_000
        after = ended(writer, accept_documents(writer, [Document("x", "after", "", "en")]))
        assert after.state is TaskState.DONE


def test_a_second_service_is_refused(tmp_path):
    with small_writer(tmp_path) as writer, pytest.raises(ConfigError, match="another service"):
        Writer(writer.index, writer.state)


def test_more_writes_than_places_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST_WAITING", 0)
    with small_writer(tmp_path) as writer, pytest.raises(WriterFull):
        writer.put(Document("x", "text", "", "en"))


def test_a_task_goes_on_after_the_service_was_closed(tmp_path):
    with small_writer(tmp_path) as writer:
        task = accept_documents(writer, numbered_documents(5_000))
        writer.wake()
        wait_for(lambda: writer.store.get(task.task_id).done > 0)
    with small_writer(tmp_path) as writer:
        before = writer.store.get(task.task_id)
        assert before.attempts <= 1
        task = ended(writer, task)
        assert (task.state, task.done) == (TaskState.DONE, 5_000)
        assert {f"d{n}" for n in range(5_000)} <= {*writer.index.doc_ids()}


def test_a_task_whose_process_is_killed_is_tried_again_and_given_up_at_last(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.0)
    with small_writer(tmp_path) as writer:
        monkeypatch.setattr(
            writer._runner,
            "run",
            lambda _: (_ for _ in ()).throw(module.RunnerLost("It ended with status -9.")),
        )
        task = ended(writer, accept_documents(writer, numbered_documents(3)))
        assert task.state is TaskState.FAILED
        assert task.reason == "It ended with status -9. It was tried 3 times."


def test_a_full_disk_makes_tasks_wait_and_fails_none(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "PAUSE", 0.02)
    with small_writer(tmp_path) as writer:
        with monkeypatch.context() as patch:
            patch.setattr(writer.spool, "has_room", lambda _: False)
            task = accept_documents(writer, numbered_documents(3))
            writer.wake()
            time.sleep(0.2)
            assert writer.store.get(task.task_id).state is TaskState.QUEUED
        assert ended(writer, task).state is TaskState.DONE


def test_an_error_of_the_disk_does_not_end_the_thread_of_tasks(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "PAUSE", 0.02)
    with small_writer(tmp_path) as writer:
        real, failed = writer.store.waiting, []

        def refuse_once():
            if not failed:
                failed.append(True)
                raise StorageError("the disk refused")
            return real()

        monkeypatch.setattr(writer.store, "waiting", refuse_once)
        task = accept_documents(writer, numbered_documents(3))
        assert ended(writer, task).state is TaskState.DONE
        assert failed


def test_a_task_whose_end_was_not_recorded_runs_again(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "RETRY_SECONDS", 0.0)
    with small_writer(tmp_path) as writer:
        task = accept_documents(writer, numbered_documents(3))
        writer.store.begin(task)  # and nothing runs it
        assert ended(writer, task).state is TaskState.DONE


KILLED = """
import sys, time
from pathlib import Path
sys.path[:0] = {paths!r}
from small_writer import accept_documents, accept_files, numbered_documents, small_writer
from dragoman.types import Document
with small_writer(Path({folder!r})) as writer:
    documents = accept_documents(writer, numbered_documents(3_000))
    files = accept_files(writer, [("a.txt", b"The first file is here."), ("b.txt", b"The second.")])
    writer.wake()
    while not writer.store.get(documents.task_id).done:
        time.sleep(0.01)
    for n in range(5):
        writer.put(Document(f"d{{2_990 + n}}", "Written later.", "", "en")).result()
    print("acknowledged", flush=True)
    time.sleep(60)
"""


@pytest.mark.parametrize("kill_runner", [False, True])
def test_what_was_acknowledged_is_there_after_kill_9(tmp_path, kill_runner):
    paths = [str(Path(module.__file__).parents[3]), str(Path(__file__).parents[2] / "support")]
    program = KILLED.format(paths=paths, folder=str(tmp_path))
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE)
    try:
        assert process.stdout.readline() == b"acknowledged\n"
        if kill_runner:
            for child in children(process.pid):
                os.kill(child, signal.SIGKILL)
    finally:
        process.kill()
        process.communicate()
    with small_writer(tmp_path) as writer:
        for task in writer.store.tasks(2):
            assert ended(writer, task).state is TaskState.DONE
        found = {one.doc_id: one.text for one in writer.index.documents(writer.index.doc_ids())}
    assert {f"d{n}" for n in range(3_000)} <= found.keys()
    assert {found[f"d{2_990 + n}"] for n in range(5)} == {"Written later."}
    assert found["uploads/a.txt"] == "The first file is here."
    assert found["uploads/b.txt"] == "The second."


def children(pid):
    path = Path(f"/proc/{pid}/task/{pid}/children")
    listed = [Path(one, "children") for one in Path(f"/proc/{pid}/task").iterdir()]
    return [int(one) for file in {path, *listed} for one in file.read_text().split()]


def test_another_process_writes_between_two_writes_of_the_service(tmp_path):
    with small_writer(tmp_path) as writer:
        writer.put(Document("one", "The first.", "", "en")).result()
        with Index(writer.index.folder) as other:
            other.add([Document("two", "The second.", "", "en")])
        assert writer.index.get("two").text == "The second."
        writer.put(Document("three", "The third.", "", "en")).result()
        assert writer.index.count() == 7


def test_files_and_documents_of_a_task_are_in_the_order_of_their_acceptance(tmp_path):
    with small_writer(tmp_path) as writer:
        file = accept_files(writer, [("a.txt", b"Text of a file.")])
        document = accept_documents(writer, [Document("uploads/a.txt", "Later.", "", "en")])
        assert ended(writer, document).state is TaskState.DONE
        assert writer.store.get(file.task_id).state is TaskState.DONE
        assert writer.index.get("uploads/a.txt").text == "Later."


def test_a_relative_folder_of_the_state_is_no_problem_for_readers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with small_writer(Path()) as writer:
        task = ended(writer, accept_files(writer, [("a.txt", b"Text of a file.")]))
        assert (task.errors, task.added) == ((), 1)


def wait_for(condition):
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)
