import json

import pytest

import dragoman
from commands import run
from dragoman.errors import UserError
from dragoman.text.formats.trec import write_judgments, write_run
from dragoman.types import Document
from small_reports import JUDGMENTS, RIGHT, WRONG


@pytest.fixture
def command(tmp_path):
    write_run(tmp_path / "right.trec", RIGHT)
    write_run(tmp_path / "wrong.trec", WRONG)
    write_judgments(tmp_path / "qrels.txt", JUDGMENTS)
    runs = tmp_path / "wrong.trec", tmp_path / "right.trec"
    return "failures", *runs, "--qrels", tmp_path / "qrels.txt", "-n", 2


def test_losses_are_listed(command):
    printed = run(*command)
    assert "q00-good (grade 2): rank 3 and 1" in printed
    assert "wrong ranks first: q00-bad (grade 0)" in printed
    assert "2 queries, nDCG@10 of wrong and right" in printed
    first, second = json.loads(run(*command, "--json", "--measure", "RR"))
    assert (first["loss"]["query_id"], second["loss"]["query_id"]) == ("q00", "q01")
    assert first["difference"] == 0.5


def test_the_explained_document_and_both_runs_are_named(command, tmp_path):
    texts = [Document("q00-good", "bread from flour", language="en")]
    dragoman.index(texts, tmp_path / "index", system="psq").close()
    (tmp_path / "queries.tsv").write_text("q00\tmkate\n")
    options = ("--queries", tmp_path / "queries.tsv", "--index", tmp_path / "index")
    lines = run(*command, *options).splitlines()
    place = lines.index("  matches of q00-good")
    assert lines[place + 1].split() == ["wrong", "|", "right"]
    assert lines[place + 2].split("|")[0].strip().startswith("mkate = bread")


def test_what_cannot_be_explained_or_ordered_is_refused(command, tmp_path):
    with pytest.raises(UserError, match="--index without --queries"):
        run(*command, "--index", tmp_path)
    with pytest.raises(UserError, match="Found 3 indexes"):
        run(*command, "--queries", "q.tsv", *(["--index", tmp_path] * 3))
    with pytest.raises(UserError, match="expected one, by which losses are ordered"):
        run(*command, "--measure", "RR P@5")
