"""Documents that leave an index and come back equal."""

import io
import json
import os

import pytest

import dragoman
from dragoman.errors import InputError
from dragoman.indexes.maintenance import export
from dragoman.indexes.maintenance.export import export_file, export_stream, live_documents
from dragoman.text.files import Faults
from dragoman.text.source import read_documents
from dragoman.types import Document

DOCUMENTS = [
    Document("tide", "The tide rises.\nThen it falls.", "Tides", "en", {"year": 2001}),
    Document("brot", 'Das Brot geht "auf".', "", "de", {"tags": ["a", {"deep": [None, 0.5]}]}),
    Document("хлеб", "Хлеб\u2028и соль \U0001f35e", "Хлеб", "ru", {"a.b": 1, "a": {"b": True}}),
    Document("خبز", "الخبز والملح", "", "ar", {"": None, "язык": "арабский"}),
    Document("面包", "面包和盐", "面包", "zh", {"text": "x", "title": [], "lang": 1, "_id": {}}),
    Document("Z", "", "Empty text", "en", {"id": 7, "language": "sw", "_metadata": {"lang": "x"}}),
    Document("mkate", "Mkate na chumvi", language="sw"),
]
BY_ID = sorted(DOCUMENTS, key=lambda document: document.doc_id)


class Listed:
    """An index in memory, of which some documents may be deleted after their ids were listed."""

    def __init__(self, documents, deleted=()):
        self.stored = {document.doc_id: document for document in documents}
        self.deleted, self.batches = deleted, []

    def doc_ids(self):
        return sorted(self.stored)

    def documents(self, doc_ids):
        self.batches.append(len(doc_ids))
        return [None if name in self.deleted else self.stored[name] for name in doc_ids]


@pytest.fixture
def index(tmp_path):
    with dragoman.index(DOCUMENTS, tmp_path / "index", system="psq") as built:
        yield built


def test_an_index_lists_and_fetches_its_documents(index):
    assert index.doc_ids() == [document.doc_id for document in BY_ID]
    assert index.documents(["tide", "nowhere", "brot"]) == [DOCUMENTS[0], None, DOCUMENTS[1]]
    assert index.documents([]) == []


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_what_is_exported_and_indexed_again_is_equal(index, tmp_path, ending):
    path = tmp_path / f"documents.jsonl{ending}"
    assert export_file(index, path) == len(DOCUMENTS)
    assert list(read_documents(path, Faults())) == BY_ID
    with dragoman.index(read_documents(path, Faults()), tmp_path / "again", system="psq") as again:
        assert list(live_documents(again)) == BY_ID
        second = tmp_path / f"again.jsonl{ending}"
        export_file(again, second)
    assert second.read_bytes() == path.read_bytes()


def test_only_the_documents_of_now_are_exported(index):
    changed = Document("tide", "Ebb and flow.", "Tides", "en", {"year": 2002})
    index.add([changed])
    index.delete(["brot", "Z"])
    left = [each for each in BY_ID if each.doc_id not in ("brot", "Z", "tide")]
    expected = sorted([*left, changed], key=lambda document: document.doc_id)
    assert list(live_documents(index)) == expected


def test_an_index_without_documents_gives_an_empty_file(index, tmp_path):
    index.delete(index.doc_ids())
    assert export_file(index, tmp_path / "documents.jsonl") == 0
    assert (tmp_path / "documents.jsonl").read_bytes() == b""


def test_documents_are_fetched_in_batches(monkeypatch):
    monkeypatch.setattr(export, "BATCH", 3)
    listed, steps = Listed(DOCUMENTS), []
    assert list(live_documents(listed, steps.append)) == BY_ID
    assert listed.batches == steps == [3, 3, 1]


def test_documents_deleted_meanwhile_are_left_out():
    exported = live_documents(Listed(DOCUMENTS, deleted=("tide", "brot")))
    assert [each for each in BY_ID if each.doc_id not in ("tide", "brot")] == list(exported)


def test_a_stream_gets_the_lines_of_the_file(tmp_path):
    stream = io.BytesIO()
    assert export_stream(Listed(DOCUMENTS), stream, "standard output") == len(DOCUMENTS)
    export_file(Listed(DOCUMENTS), tmp_path / "documents.jsonl")
    assert stream.getvalue() == (tmp_path / "documents.jsonl").read_bytes()
    assert json.loads(stream.getvalue().splitlines()[0])["_id"] == BY_ID[0].doc_id


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        (Document("b", "half \ud800"), "'b' with a value that cannot be written"),
        (Document("b\tc", "text"), r"the id 'b\\tc'; expected an id without tabs"),
    ],
)
def test_what_the_format_cannot_hold_leaves_the_old_file(tmp_path, document, fault):
    path = tmp_path / "documents.jsonl"
    path.write_text("old")
    with pytest.raises(InputError, match=f"line 2: found {fault}"):
        export_file(Listed([Document("a", "text"), document]), path)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_was_there_is_replaced(tmp_path):
    path = tmp_path / "documents.jsonl"
    path.write_text("old")
    assert export_file(Listed(DOCUMENTS[:1]), path) == 1
    assert list(read_documents(path, Faults())) == DOCUMENTS[:1]


def test_an_output_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="an output that cannot be written"):
        export_file(Listed(DOCUMENTS), tmp_path / "file" / "documents.jsonl")
    with pytest.raises(InputError, match="found a folder; expected a regular file"):
        export_file(Listed(DOCUMENTS), tmp_path)


def test_a_device_is_not_replaced(tmp_path):
    os.mkfifo(tmp_path / "documents.jsonl")
    with pytest.raises(InputError, match="found a pipe or a device; expected a regular file"):
        export_file(Listed(DOCUMENTS), tmp_path / "documents.jsonl")


def test_a_stream_that_is_full_is_named_and_a_closed_pipe_is_left_to_the_caller():
    class Failing(io.BytesIO):
        def flush(self):
            raise self.error

    stream = Failing()
    stream.error = OSError(28, "No space left on device")
    with pytest.raises(InputError, match=r"standard output: found .*\(No space left on device\)"):
        export_stream(Listed(DOCUMENTS), stream, "standard output")
    stream.error = BrokenPipeError(32, "Broken pipe")
    with pytest.raises(BrokenPipeError, match="Broken pipe"):
        export_stream(Listed(DOCUMENTS), stream, "standard output")
