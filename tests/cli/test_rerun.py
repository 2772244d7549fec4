import json

import pytest
from typer.testing import CliRunner

from commands import run
from dragoman.cli import app
from dragoman.errors import UserError

DOCUMENTS = [
    {"_id": "bread", "text": "bread from flour", "lang": "en"},
    {"_id": "tides", "text": "tides of the sea", "lang": "en"},
]


def write_lines(path, records):
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "corpus.jsonl", DOCUMENTS)
    queries = [{"_id": "q1", "text": "mkate", "lang": "sw"}, {"_id": "q2", "text": "sea"}]
    write_lines(tmp_path / "queries.jsonl", queries)
    run("index", "corpus.jsonl", "-o", "index", "--system", "psq")
    run("run", "index", "--queries", "queries.jsonl", "-k", 5, "--balance", "off", "-o", "a.trec")
    return tmp_path


def failing(*arguments):
    done = CliRunner().invoke(app, list(map(str, arguments)))
    assert done.exit_code == 1, done.output
    return done.stdout


def test_a_repetition_is_identical(place):
    assert "2 of 2 rankings are the same, 2 with equal scores" in run("rerun", "a.trec")
    run("rerun", "a.trec", "-o", "b.trec")
    assert (place / "a.trec").read_text() == (place / "b.trec").read_text()


def test_a_run_is_not_overwritten_by_its_repetition(place):
    before = (place / "a.trec").read_text()
    with pytest.raises(UserError, match="expected two files"):
        run("rerun", "a.trec", "-o", place / "a.trec")
    assert (place / "a.trec").read_text() == before


def test_changed_documents_are_named(place):
    run("index", "corpus.jsonl", "-o", "index", "--system", "psq")  # the same documents again
    run("rerun", "a.trec")
    write_lines(place / "corpus.jsonl", [*DOCUMENTS, {"_id": "new", "text": "sea", "lang": "en"}])
    run("index", "corpus.jsonl", "-o", "index", "--system", "psq")
    answer = json.loads(failing("rerun", "a.trec", "--json"))
    assert "index documents: 2 then, 3 now" in answer["changes"]
    assert answer["same_ranking"] < 2


def test_a_changed_run_is_found(place):
    lines = (place / "a.trec").read_text().replace("q1 Q0 bread", "q1 Q0 tides")
    (place / "a.trec").write_text(lines)
    assert "1 of 2 rankings are the same" in failing("rerun", "a.trec")


def test_a_folder_can_be_moved_and_sources_named_anew(place):
    moved = place / "moved"
    moved.mkdir()
    for name in ("index", "queries.jsonl", "a.trec", "a.trec.ir_metadata.yml"):
        (place / name).rename(moved / name)
    assert "2 of 2" in run("rerun", moved / "a.trec")
    (moved / "index").rename(place / "elsewhere")
    assert "2 of 2" in run("rerun", moved / "a.trec", "--index", place / "elsewhere")


def test_a_lost_index_is_asked_for(place):
    (place / "index").rename(place / "elsewhere")
    with pytest.raises(UserError, match="Name where it is now: --index PATH"):
        run("rerun", "a.trec")


def test_another_translation_table_is_named(place):
    (place / "words.tsv").write_text("bread\tmkate\ntide\tmaji\n")
    run("learn", "lexicon", "--dictionary", "words.tsv", "--languages", "en-sw", "-o", "en-sw")
    run("index", "corpus.jsonl", "-o", "index", "--system", "psq", "--lexicon", "en-sw")
    answer = json.loads(failing("rerun", "a.trec", "--json"))
    (change,) = answer["changes"]
    assert change.startswith("index treatments sw: ")
    assert "own:" in change


def test_lines_that_were_skipped_are_skipped_again(place):
    with (place / "queries.jsonl").open("a") as stream:
        stream.write("{broken\n")
    run("run", "index", "--queries", "queries.jsonl", "--on-error", "skip", "-o", "skipped.trec")
    assert "2 of 2 rankings are the same" in run("rerun", "skipped.trec")


def test_fields_of_the_user_are_repeated(place):
    (place / "team.yml").write_text("actor:\n  team: Nile\n")
    run("run", "index", "--queries", "queries.jsonl", "--metadata", "team.yml", "-o", "own.trec")
    run("rerun", "own.trec", "-o", "again.trec")
    assert "team: Nile" in (place / "again.trec.ir_metadata.yml").read_text()
