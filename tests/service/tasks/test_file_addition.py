import gzip
import io
import zipfile
from dataclasses import replace
from threading import Event

import pytest

from dragoman.errors import UserError
from dragoman.indexes.sync.synchronization import SyncOptions, sync
from dragoman.service.tasks.addition import Addition
from dragoman.service.tasks.file_addition import LIMITS, add_files
from dragoman.service.tasks.store import TaskState
from dragoman.service.tasks.writer import Writer
from dragoman.text.readers.scan import Root
from small_writer import accept_files, small_writer

LETTER = b"The meeting about the harbour is on Thursday."
OTHER = b"The meeting about the harbour was moved to Friday."


@pytest.fixture
def writer(tmp_path, monkeypatch):
    """A writer whose tasks wait until ``ended`` runs them, in this process."""
    monkeypatch.setattr(Writer, "_run_tasks", lambda _: None)
    with small_writer(tmp_path) as opened:
        yield opened


def ended(writer, task, limits=LIMITS):
    assert writer.store.begin(task)
    addition = Addition(writer.index, writer.store, writer.state, task, Event())
    add_files(addition, writer.spool, limits)
    writer.store.finish(task, TaskState.DONE)
    return writer.store.get(task.task_id)


def uploads(writer):
    return sorted(one for one in writer.index.doc_ids() if one.startswith("uploads"))


def test_a_file_becomes_a_document_with_its_origin(writer):
    task = ended(writer, accept_files(writer, [("letters/may.txt", LETTER)]))
    assert (task.state, task.done, task.added, task.errors) == (TaskState.DONE, 1, 1, ())
    document = writer.index.get("uploads/letters/may.txt")
    assert (document.text, document.language) == (LETTER.decode(), "en")
    assert document.metadata["path"] == "letters/may.txt"
    assert document.metadata["format"] == "text"


def test_the_same_file_again_changes_nothing(writer):
    files = [("may.txt", LETTER), ("may.txt", LETTER)]
    assert ended(writer, accept_files(writer, files)).added == 1
    again = ended(writer, accept_files(writer, [("may.txt", LETTER)]))
    assert (again.state, again.done, again.added) == (TaskState.DONE, 1, 0)
    assert uploads(writer) == ["uploads/may.txt"]


def test_another_file_of_the_same_name_gets_a_number(writer):
    ended(writer, accept_files(writer, [("may.txt", LETTER)]))
    ended(writer, accept_files(writer, [("may.txt", OTHER), ("may.txt", b"A third letter.")]))
    assert uploads(writer) == ["uploads/may (2).txt", "uploads/may (3).txt", "uploads/may.txt"]
    assert writer.index.get("uploads/may.txt").text == LETTER.decode()
    assert writer.index.get("uploads/may (2).txt").text == OTHER.decode()


def test_a_file_is_replaced_where_the_caller_wants_it(writer):
    table = b"id,text\n1,the first row\n2,the second row\n"
    ended(writer, accept_files(writer, [("t.csv", table)]))
    assert len(uploads(writer)) == 2
    ended(
        writer,
        accept_files(writer, [("t.csv", table.replace(b"2,the second row\n", b""))], replace=True),
    )
    (left,) = uploads(writer)
    assert writer.index.get(left).text == "the first row"


def test_files_without_text_are_reported_by_the_names_that_the_client_sent(writer):
    files = [("a/photo.png", b"\x89PNG\r\n"), ("b.pdf", b"%PDF-1.4 broken"), ("c.txt", LETTER)]
    task = ended(writer, accept_files(writer, files))
    assert (task.state, task.done, task.added) == (TaskState.DONE, 3, 1)
    assert [file for file, _ in task.errors] == ["a/photo.png", "b.pdf"]
    assert str(writer.state) not in str(task.errors)


def test_markup_and_scripts_stay_text(writer):
    ended(writer, accept_files(writer, [("x.txt", b"<script>alert(1)</script> & <b>bold</b>")]))
    assert writer.index.get("uploads/x.txt").text == "<script>alert(1)</script> & <b>bold</b>"


def test_a_zip_bomb_is_an_error_of_its_file_alone(writer):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"{number}.txt", b"bomb " * 200_000)
    bombs = [("bomb.zip", packed.getvalue()), ("bomb.gz", gzip.compress(b"bomb " * 400_000))]
    limits = replace(LIMITS, expanded_bytes=1_500_000)
    task = ended(writer, accept_files(writer, [*bombs, ("c.txt", LETTER)]), limits)
    assert {file.split("/")[0] for file, _ in task.errors} == {"bomb.zip", "bomb.gz"}
    assert "uploads/c.txt" in uploads(writer)
    assert not [one for one in uploads(writer) if one.startswith("uploads/bomb.gz")]


def test_what_an_upload_may_unpack_to_is_bounded():
    assert LIMITS.expanded_bytes <= 1 << 30
    assert LIMITS.members <= 2_000
    assert LIMITS.cpu_seconds <= 120


def test_members_of_an_archive_do_not_leave_it(writer):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("../../escaped.txt", LETTER)
    task = ended(writer, accept_files(writer, [("a.zip", packed.getvalue())]))
    assert task.state is TaskState.DONE
    assert all(".." not in one.split("/") for one in uploads(writer))
    assert not (writer.state.parent / "escaped.txt").exists()


def test_a_synced_folder_called_uploads_and_the_uploads_do_not_mix(writer, tmp_path):
    ended(writer, accept_files(writer, [("may.txt", LETTER)]))
    folder = tmp_path / "uploads"
    folder.mkdir()
    (folder / "own.txt").write_bytes(OTHER)
    with pytest.raises(UserError, match="needs another name: --label"):
        sync([Root.of(folder)], writer.index.folder, SyncOptions())
    assert uploads(writer) == ["uploads/may.txt"]


def test_uploads_make_way_for_a_folder_that_was_synced_before(writer, tmp_path):
    folder = tmp_path / "uploads"
    folder.mkdir()
    (folder / "own.txt").write_bytes(OTHER)
    sync([Root.of(folder)], writer.index.folder, SyncOptions())
    ended(writer, accept_files(writer, [("may.txt", LETTER)]))
    assert uploads(writer) == ["uploads-2/may.txt", "uploads/own.txt"]
    sync([Root.of(folder)], writer.index.folder, SyncOptions())
    assert uploads(writer) == ["uploads-2/may.txt", "uploads/own.txt"]
