"""Writes in any order: the index ends as if each had been done when it was acknowledged."""

from itertools import count
from threading import Event

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.service.tasks.addition import Addition, TaskStopped, add_documents
from dragoman.service.tasks.store import TaskState
from dragoman.service.tasks.writer import Writer
from dragoman.types import Document
from small_writer import accept_documents, numbered_documents, small_writer

IDS = st.sampled_from("abcd")
STEPS = st.one_of(
    st.tuples(st.just("accept"), st.lists(IDS, min_size=1, max_size=4, unique=True)),
    st.tuples(st.just("put"), IDS),
    st.tuples(st.just("delete"), IDS),
    st.tuples(st.just("run"), st.none()),
)
NUMBERS = count()


@pytest.fixture(scope="module")
def writer(tmp_path_factory):
    """A writer whose tasks wait until a test runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Writer, "_run_tasks", lambda _: None)
        with small_writer(tmp_path_factory.mktemp("writer")) as opened:
            yield opened


def run_next(writer, stop=None):
    task = writer.store.waiting()
    if task is None or not writer.store.begin(task):
        return
    addition = Addition(writer.index, writer.store, writer.state, task, stop or Event())
    add_documents(addition, writer.spool.documents(task.task_id))
    writer.store.finish(task, TaskState.DONE)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(STEPS, max_size=12))
def test_the_last_acknowledged_write_of_a_document_counts(writer, steps):
    prefix = f"example {next(NUMBERS)} "
    expected: dict[str, str | None] = {}
    for number, (action, given_ids) in enumerate(steps):
        text = f"Text number {number}."
        if action == "accept":
            names = [prefix + one for one in given_ids]
            accept_documents(writer, [Document(one, text, "", "en") for one in names])
            expected |= dict.fromkeys(names, text)
        elif action == "put":
            writer.put(Document(prefix + given_ids, text, "", "en")).result()
            expected[prefix + given_ids] = text
        elif action == "delete":
            writer.delete(prefix + given_ids).result()
            expected[prefix + given_ids] = None
        else:
            run_next(writer)
    while writer.store.waiting():
        run_next(writer)
    stored = writer.index.documents([*expected])
    assert [one and one.text for one in stored] == [*expected.values()]
    assert writer.store.unsettled() == []


def test_a_stopped_task_ends_between_two_batches_and_goes_on_where_it_was(writer):
    task = accept_documents(writer, numbered_documents(600))
    stop = Event()
    writer.store.begin(task)
    addition = Addition(writer.index, writer.store, writer.state, task, stop)
    real = writer.store.progress

    def stop_after_first(*values):
        real(*values)
        stop.set()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writer.store, "progress", stop_after_first)
        with pytest.raises(TaskStopped):
            add_documents(addition, writer.spool.documents(task.task_id))
    before = writer.store.get(task.task_id)
    assert 0 < before.done < 600
    writer.store.wait_again(task, "", blameless=True)
    run_next(writer)
    after = writer.store.get(task.task_id)
    assert (after.state, after.done, after.added) == (TaskState.DONE, 600, 600)
    assert writer.index.get("d599").text == "The document number 599."
