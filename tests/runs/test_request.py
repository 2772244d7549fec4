import pytest

from dragoman.errors import InputError, UserError
from dragoman.indexes.search.reranking import Rerank
from dragoman.runs.request import RunRequest


def test_a_request_survives_its_fields(tmp_path):
    request = RunRequest(
        str(tmp_path / "index"),
        "irds:wikiclir/sw",
        k=7,
        where=("year>=2019",),
        rerank=Rerank("bm25", depth=3),
    )
    folder = tmp_path / "runs"
    fields = request.as_fields(folder)
    assert fields["index"] == "../index"
    assert fields["queries"] == "irds:wikiclir/sw"
    assert RunRequest.from_fields(fields, folder, folder / "m.yml") == request


def test_a_folder_that_was_moved_as_a_whole_is_found(tmp_path):
    fields = RunRequest(str(tmp_path / "a" / "index"), "x").as_fields(tmp_path / "a" / "runs")
    moved = RunRequest.from_fields(fields, tmp_path / "b" / "runs", tmp_path / "m.yml")
    assert moved.index == str(tmp_path / "b" / "index")


def test_an_address_is_no_path(tmp_path):
    request = RunRequest("http://127.0.0.1:8080", "irds:x")
    assert RunRequest.from_fields(request.as_fields(tmp_path), tmp_path, tmp_path) == request


def test_the_folder_of_a_second_system_moves_with_the_run(tmp_path):
    request = RunRequest("irds:a", "irds:b", rerank=Rerank(str(tmp_path / "a" / "model")))
    fields = request.as_fields(tmp_path / "a")
    assert fields["rerank"]["system"] == "model"
    moved = RunRequest.from_fields(fields, tmp_path / "b", tmp_path / "m.yml")
    assert moved.rerank == Rerank(str(tmp_path / "b" / "model"))


def test_a_source_that_is_gone_is_asked_for(tmp_path):
    (tmp_path / "index").mkdir()
    RunRequest(str(tmp_path / "index"), "irds:x").expect_sources()
    with pytest.raises(UserError, match="Name where it is now: --queries PATH"):
        RunRequest(str(tmp_path / "index"), str(tmp_path / "gone.tsv")).expect_sources()


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"index": "a"},
        {"index": 1, "queries": "q", "rerank": 3},
        {"index": "a", "queries": "q", "balance": "x"},
        {"index": "a", "queries": "q", "on_error": "x"},
    ],
)
def test_incomplete_fields_are_refused(fields, tmp_path):
    with pytest.raises(InputError, match="no complete request"):
        RunRequest.from_fields(fields, tmp_path, tmp_path / "m.yml")
