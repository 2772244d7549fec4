"""``dragoman explain`` on a small index, as a person calls it."""

import json
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

import dragoman
from dragoman.cli.explain import explain
from dragoman.cli.render.explanation import MOST_LINKS
from dragoman.errors import MissingExtra, UserError
from dragoman.indexes.search.explanation_view import explanation_fields, view_explanation
from dragoman.types import Document

app = typer.Typer()
app.command()(explain)

TIDES = [
    Document("mond", "Der Mond zieht das Meer. Die Qwurtzel bleibt.", "Ebbe und Flut", "de"),
    Document("brot", "Brot geht auf wegen der Hefe.", "Brot", "de"),
    Document("moon", "The moon pulls the sea.", "", "en"),
    Document("lune", "La lune attire la mer.", "", "fr"),
    Document("qamar", "القمر يجذب البحر.", "", "ar"),
    Document("lleuad", "Mae'r lleuad yn tynnu'r môr.", "", "cy"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("explained") / "index"
    dragoman.index(TIDES, path, system="psq").close()
    return path


def run(*arguments):
    done = CliRunner(env={"COLUMNS": "80"}).invoke(app, [str(a) for a in arguments])
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.stdout


def test_a_person_sees_the_passage_its_gloss_and_the_links(folder):
    printed = run(folder, "moon and sea", "mond", "--query-language", "en")
    lines = [line.rstrip() for line in printed.splitlines()]
    assert lines[0] == "moon and sea (English)"
    assert lines[1].startswith("mond  German  score ")
    above = next(n for n, line in enumerate(lines) if "[Mond]" in line)
    assert "moon" in lines[above + 1]
    assert lines[above].index("[Mond]") == lines[above + 1].index("moon")
    assert "?Qwurtzel" in printed
    assert "?word: no translation is known" in printed
    heading = next(
        n
        for n, line in enumerate(lines)
        if line.split() == ["query", "document", "weight", "share"]
    )
    assert ["moon", "Mond"] in [line.split()[:2] for line in lines[heading + 1 :]]
    assert max(map(len, lines)) <= 80


def test_the_gloss_is_in_the_language_of_the_query(folder):
    found = json.loads(run(folder, "lune", "mond", "--query-language", "fr", "--json"))
    assert "lune" in found["gloss"].split()


def test_json_says_all(folder):
    found = json.loads(run(folder, "moon sea", "mond", "--query-language", "en", "--json"))
    assert (found["query"], found["language"], found["warning"]) == ("moon sea", "en", None)
    assert found["document"] == {"id": "mond", "language": "de", "title": "Ebbe und Flut"}
    assert found["passage"] == TIDES[0].text
    marked = {found["passage"][start:end] for start, end in found["marks"]}
    assert marked == {link["document_word"] for link in found["links"]}
    assert "Mond" in marked
    assert sum(link["share"] for link in found["links"]) == pytest.approx(1)
    assert "".join(word["surface"] for word in found["words"]) == found["passage"]
    assert {"surface": "Qwurtzel", "gloss": None, "kind": "unknown", "word": "Qwurtzel"} in (
        found["words"]
    )


def test_where_no_table_is_there_is_a_notice_and_no_gloss(folder):
    with dragoman.open(folder) as index:
        shown = explanation_fields(view_explanation(index, "moon", "lleuad", "en"))
        assert shown["gloss"] is None
        assert "no translation table for Welsh" in str(shown["warning"])
        same = explanation_fields(view_explanation(index, "moon", "moon", "en"))
        assert same["warning"] == "No gloss: the passage and the query are both in English."
    assert "No gloss" in run(folder, "moon", "lleuad", "--query-language", "en")


def test_a_right_to_left_passage_stands_over_its_gloss_in_reading_order(folder):
    lines = run(folder, "moon", "qamar", "--query-language", "en").splitlines()
    above = next(n for n, line in enumerate(lines) if "القمر" in line)
    assert "moon" in lines[above + 1]
    assert "  " not in lines[above].strip()


def test_a_query_that_met_nothing_is_told_so(folder):
    assert "no word of the query matches" in run(folder, "xyzzy", "brot", "--query-language", "en")


def test_a_document_that_is_not_there_is_an_error(folder):
    with pytest.raises(UserError, match="no document has the id 'nowhere'"):
        run(folder, "moon", "nowhere", "--query-language", "en")


def test_a_picture_of_another_kind_is_refused_before_any_work(tmp_path):
    with pytest.raises(UserError, match=r"found the suffix '.jpg'; expected .png or .svg"):
        run(tmp_path / "no-index", "moon", "mond", "-o", tmp_path / "plan.jpg")


def test_a_picture_is_written(folder, tmp_path):
    pytest.importorskip("matplotlib", reason="drawing needs the extra 'plots'")
    plan = tmp_path / "plan.png"
    run(folder, "moon and sea", "mond", "--query-language", "en", "-o", plan)
    assert plan.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert list(tmp_path.iterdir()) == [plan]


def test_without_matplotlib_the_extra_is_named(folder, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "dragoman.cli.render.pictures", raising=False)
    with pytest.raises(MissingExtra, match=r"'matplotlib' is not installed.*dragoman\[plots\]"):
        run(folder, "moon", "mond", "--query-language", "en", "-o", tmp_path / "plan.png")


def test_the_command_line_does_not_load_matplotlib():
    code = "import sys, dragoman.cli, dragoman.cli.explain; sys.exit('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_long_list_of_links_is_cut_and_said(folder):
    words = [f"word{n}" for n in range(MOST_LINKS + 5)]
    with dragoman.open(folder) as index:
        index.add([Document("long", " ".join(words), "", "en")])
    printed = run(folder, " ".join(words), "long", "--query-language", "en")
    assert "and 5 weaker links; --json prints all" in printed
