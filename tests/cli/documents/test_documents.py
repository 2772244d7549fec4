"""``list``, ``show``, ``delete``, ``similar``, ``info`` and ``sync``, as a person runs them."""

import json

import pytest

import dragoman
from commands import run
from dragoman.errors import UnknownName, UserError
from dragoman.types import Document


@pytest.fixture
def index(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    documents = [
        Document("tide", "The tide rises with the moon.", "Tides", "en", {"year": 2001}),
        Document("bread", "Bread rises with yeast.", "", "en", {"year": 2005, "id": 7}),
        Document("brot", "Das Brot geht mit der Hefe auf.", "", "de", {"year": 2010}),
        Document("mond", "Der Mond scheint.", "", "de"),
    ]
    dragoman.index(documents, tmp_path / "index", system="psq").close()
    return tmp_path / "index"


def listed(index, *options):
    return [json.loads(line)["id"] for line in run("list", index, "--json", *options).splitlines()]


def test_documents_are_listed_by_id_or_by_a_field(index):
    assert listed(index) == ["bread", "brot", "mond", "tide"]
    assert listed(index, "--sort", "-id") == ["tide", "mond", "brot", "bread"]
    assert listed(index, "--sort", "-year") == ["brot", "bread", "tide", "mond"]
    assert listed(index, "--sort", "year", "--where", "year<2010") == ["tide", "bread"]
    assert listed(index, "--in", "de") == ["brot", "mond"]
    assert listed(index, "-k", "2") == ["bread", "brot"]
    assert "tide  Tides  29 letters" in run("list", index)


def test_a_mistyped_field_names_those_that_exist(index):
    with pytest.raises(UnknownName, match="Did you mean 'year'"):
        run("list", index, "--where", "yaer=2001")
    with pytest.raises(UnknownName, match="Known: id, year"):
        run("search", index, "bread", "--where", "author=Anna")


def test_a_document_is_shown_whole_with_its_own_id(index):
    assert run("show", index, "bread").splitlines() == [
        *("id: bread", "language: en", "year: 2005", "id: 7", "", "Bread rises with yeast.")
    ]
    assert json.loads(run("show", index, "tide", "--json"))["metadata"] == {"year": 2001}
    with pytest.raises(UserError, match="no document has the id 'nothing'"):
        run("show", index, "nothing")


def test_documents_are_deleted_by_id_or_by_a_filter(index):
    assert "1 documents deleted" in run("delete", index, "tide")
    assert "1 documents deleted" in run("delete", index, "--where", "year=2005", "--yes")
    assert listed(index) == ["brot", "mond"]
    for wrong in ((), ("brot", "--where", "year=2010")):
        with pytest.raises(UserError, match="Expected ids, or --where or --in, and not both"):
            run("delete", index, *wrong)


def test_similar_documents_are_found_in_another_language(index):
    answer = json.loads(run("similar", index, "bread", "-k", "1", "--in", "de", "--json"))
    assert [hit["id"] for hit in answer["hits"]] == ["brot"]
    assert "bread" not in [
        hit["id"] for hit in json.loads(run("similar", index, "bread", "--json"))["hits"]
    ]


def test_an_index_describes_itself(index):
    facts = json.loads(run("info", index, "--json"))
    assert facts["documents"] == 4
    assert facts["languages"] == {"de": 2, "en": 2}
    assert facts["fields"] == ["id", "year"]
    assert facts["system"] == "psq"
    shown = run("info", index).splitlines()
    assert "languages    de 2, en 2" in shown
    assert [line for line in shown if line.startswith("read as de") and "Snowball german" in line]


def test_a_folder_is_synced_and_its_files_are_reported(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "bread.txt").write_text("Bread rises with yeast and takes a long time to bake.")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    output, report = tmp_path / "index", tmp_path / "report.jsonl"
    options = ("-o", output, "--system", "psq")
    assert "1 added, 0 deleted" in run("sync", folder, *options, "--report", report)
    outcomes = [json.loads(line) for line in report.read_text().splitlines()]
    assert [(one["status"], one["reason"]) for one in outcomes] == [
        ("passed over", "image"),
        ("read", ""),
    ]
    (folder / "more.txt").write_text("The tide rises with the moon, twice a day, in every harbour.")
    assert "2 documents (en 2), psq; 1 added" in run("index", folder, *options)
    assert json.loads(run("info", output, "--json"))["sources"] == {"notes": str(folder)}
    with pytest.raises(UserError, match="was built with --system psq; found --system dense"):
        run("sync", folder, "-o", output, "--system", "dense")
    (tmp_path / "a.jsonl").write_text('{"_id": "1", "text": "a"}')
    with pytest.raises(UserError, match="is no collection, other sources are"):
        run("index", folder, tmp_path / "a.jsonl", *options)


def test_controls_in_documents_never_reach_the_terminal(tmp_path, monkeypatch):
    monkeypatch.setenv("DRAGOMAN_CACHE", str(tmp_path / "cache"))
    text = "Bread \x1b[31mrises\x1b]0;title\x07 with \u202eyeast\u2066 and time."
    document = Document("bread\x1b[2J", text, "A \x1b[1mtitle", "en", {"note": "\x1b[5m"})
    dragoman.index([document], tmp_path / "index", system="psq").close()
    commands = (
        ("search", tmp_path / "index", "bread rises"),
        ("explain", tmp_path / "index", "bread rises", document.doc_id),
        ("show", tmp_path / "index", document.doc_id),
        ("list", tmp_path / "index"),
        ("similar", tmp_path / "index", document.doc_id),
    )
    for command in commands:
        printed = run(*command)
        assert not any(control in printed for control in "\x1b\x07\u202e\u2066"), command
