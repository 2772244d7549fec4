"""``dragoman evaluate`` on files, as a person calls it."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import commands
from dragoman.cli.evaluate import evaluate, named, probability
from dragoman.errors import ConfigError, InputError, UnknownName, UserError
from dragoman.text.formats import beir
from dragoman.types import Document, Query

app = typer.Typer()
app.command()(evaluate)

QUERIES = [("q1", "en"), ("q2", "en"), ("q3", "fr")]
DOCUMENTS = [("a-de", "de"), ("b-de", "de"), ("c-de", "de"), ("a-it", "it"), ("b-it", "it")]
QRELS = [("q1", "a-de", 2), ("q1", "b-de", 1), ("q2", "c-de", 2), ("q3", "a-it", 1)]
GOOD = {
    "q1": {"a-de": 3.0, "b-de": 2.0, "a-it": 1.0},
    "q2": {"c-de": 3.0, "a-de": 2.0},
    "q3": {"a-it": 1.5, "c-de": 1.0},
}
BAD = {"q1": {"a-it": 3.0, "b-de": 2.0}, "q2": {"a-de": 3.0, "c-de": 2.0}, "q3": {"b-it": 1.0}}


def write_run(path, rankings):
    lines = [
        f"{query_id} Q0 {doc_id} {rank} {score} test"
        for query_id, hits in rankings.items()
        for rank, (doc_id, score) in enumerate(hits.items(), start=1)
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    write_run(tmp_path / "good.trec", GOOD)
    write_run(tmp_path / "bad.trec", BAD)
    rows = ["query-id\tcorpus-id\tscore", *(f"{q}\t{d}\t{g}" for q, d, g in QRELS)]
    (tmp_path / "qrels.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    for name, items in (("queries", QUERIES), ("corpus", DOCUMENTS)):
        records = [json.dumps({"_id": i, "text": "words", "lang": code}) for i, code in items]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(records) + "\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(*arguments):
    return CliRunner().invoke(app, list(arguments), catch_exceptions=False)


LANGUAGES = ("--queries", "queries.jsonl", "--corpus", "corpus.jsonl")


@pytest.mark.usefixtures("folder")
def test_json_has_the_agreed_form_and_the_right_numbers():
    done = call(
        "good.trec", "--qrels", "qrels.tsv", "--measures", "RR nDCG@10", *LANGUAGES, "--json"
    )
    made = json.loads(done.stdout)
    assert made["tests"] == []
    (run,) = made["runs"]
    assert run["run"] == "good"
    assert run["measures"]["RR"] == {"mean": 1.0, "low": 1.0, "high": 1.0, "queries": 3}
    assert {pair: part["RR"]["queries"] for pair, part in run["pairs"].items()} == {
        "en-de": 2,
        "fr-it": 1,
    }


@pytest.mark.usefixtures("folder")
def test_tables_stand_by_language_pair_with_intervals_and_tests():
    arguments = ("good.trec", "bad.trec", "--qrels", "qrels.tsv", *LANGUAGES)
    done = call(*arguments, "--measures", "RR P(rel=2)@1 AQWV(beta=1,threshold=1.5)")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["all", "queries"] in lines
    assert ["en-de"] in lines
    assert ["fr-it"] in lines
    assert ["RR", "good", "1.0000", "1.0000", "to", "1.0000", "3"] in lines
    assert ["RR", "good", "-", "bad", "+0.6667"] in [line[:5] for line in lines]
    assert done.exit_code == 0


@pytest.mark.usefixtures("folder")
def test_a_narrow_terminal_wraps_no_number():
    measure = "nDCG(dcg='exp-log2')@10"
    done = call("good.trec", "bad.trec", "--qrels", "qrels.tsv", "--measures", measure)
    assert all(len(line.rstrip()) <= 80 for line in done.stdout.splitlines())
    first = next(line for line in done.stdout.splitlines() if line.startswith(measure))
    assert first.split()[:3] == [measure, "good", "1.0000"]


@pytest.mark.usefixtures("folder")
def test_what_does_not_match_is_named_on_standard_error(folder):
    write_run(folder / "odd.trec", {"q1": GOOD["q1"], "q9": {"a-de": 1.0}})
    done = call("odd.trec", "--qrels", "qrels.tsv")
    assert "odd: 1 queries of the run are not judged and were left out: q9" in done.stderr
    assert "odd: 2 judged queries are missing from the run and count as 0: q2, q3" in done.stderr
    assert "not judged" not in done.stdout


@pytest.mark.usefixtures("folder")
def test_the_same_seed_prints_the_same_bytes():
    arguments = ("good.trec", "bad.trec", "--qrels", "qrels.tsv", "--json")
    assert call(*arguments).stdout == call(*arguments).stdout
    assert call(*arguments).stdout != call(*arguments, "--seed", "1").stdout


def test_bad_lines_stop_or_are_skipped_and_counted(folder):
    with (folder / "good.trec").open("a", encoding="utf-8") as stream:
        stream.write("q3 Q0 b-it\n")
    with pytest.raises(InputError, match=r"good\.trec, line 8: found 3 columns; expected 6"):
        call("good.trec", "--qrels", "qrels.tsv")
    done = call("good.trec", "--qrels", "qrels.tsv", "--on-error", "skip")
    assert "good.trec: skipped 1" in done.stderr


def test_an_empty_run_is_an_error(folder):
    (folder / "empty.trec").write_text("", encoding="utf-8")
    with pytest.raises(UserError, match="an empty file"):
        call("empty.trec", "--qrels", "qrels.tsv")


@pytest.mark.usefixtures("folder")
def test_aqwv_asks_for_the_size_of_the_collection():
    arguments = ("good.trec", "--qrels", "qrels.tsv", "--measures", "AQWV(beta=40)")
    with pytest.raises(ConfigError, match="--collection-size"):
        call(*arguments)
    done = call(*arguments, "--collection-size", "100", "--json")
    value = json.loads(done.stdout)["runs"][0]["measures"]["AQWV(beta=40)"]["mean"]
    assert value == pytest.approx(1 - 40 * (1 / 98 + 1 / 99 + 1 / 99) / 3)


@pytest.mark.usefixtures("folder")
def test_the_best_threshold_is_printed():
    arguments = ("good.trec", "--qrels", "qrels.tsv", "--measures", "MQWV(beta=40)")
    done = call(*arguments, "--collection-size", "100")
    # from 1.5 all relevant documents are a yes, and one other
    assert "good: MQWV(beta=40) is reached at threshold 1.5" in done.stderr


@pytest.mark.usefixtures("folder")
def test_a_misspelt_measure_is_answered_before_any_file_is_read():
    with pytest.raises(UnknownName, match="Did you mean 'nDCG'"):
        call("nowhere.trec", "--qrels", "nowhere.tsv", "--measures", "nDGC@10")


@pytest.mark.usefixtures("folder")
def test_a_missing_run_is_named():
    with pytest.raises(InputError, match=r"nowhere\.trec: found no such file"):
        call("nowhere.trec", "--qrels", "qrels.tsv")


def test_trec_qrels_that_do_not_tell_their_columns_take_them_from_the_caller(folder):
    (folder / "trec.qrels").write_text("q1 0 a-de 2\nq2 0 c-de 1\n", encoding="utf-8")
    done = call("good.trec", "--qrels", "trec.qrels", "--columns", "query,0,document,grade")
    assert "RR" in done.stdout


def test_runs_are_named_by_their_files_or_by_their_paths_where_two_are_alike():
    paths = [Path("x/psq.trec.gz"), Path("y/psq.trec"), Path("bm25-k1.2.run.zst")]
    assert list(named(paths)) == ["x/psq.trec.gz", "y/psq.trec", "bm25-k1.2"]
    assert list(named([Path(".hidden")])) == [".hidden"]


def test_a_small_probability_is_never_printed_as_none():
    assert [probability(p) for p in (1.0, 0.0001, 0.00009, 0.0)] == [
        *("1.0000", "0.0001", "<0.0001", "<0.0001")
    ]


def test_help_teaches_every_measure():
    done = call("--help")
    assert done.exit_code == 0
    assert "AQWV" in done.stdout
    assert "--qrels" in done.stdout


def test_a_split_of_a_beir_folder_is_searched_and_judged_by_its_qrels_file(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    documents = [Document("d1", "flour and bread", "", "en"), Document("d2", "river", "", "en")]
    queries = [Query("q1", "bread", "en"), Query("q2", "river", "en")]
    splits = {"test": {"q1": {"d1": 1}}, "train": {"q2": {"d1": 1}}}
    beir.write_folder(tmp_path / "beir", documents, queries, splits)
    folder, index, run = tmp_path / "beir", tmp_path / "index", tmp_path / "a.trec"
    commands.run("index", folder, "-o", index, "--system", "bm25")
    commands.run("run", index, "--queries", folder, "--split", "test", "-o", run)
    assert {line.split()[0] for line in run.read_text().splitlines()} == {"q1"}
    arguments = ("evaluate", run, "--qrels", folder, "--split")
    assert "1.0000" in commands.run(*arguments, "test", "--measures", "RR")
    with pytest.raises(UserError, match="None of the 1 queries"):  # the run has none of this split
        commands.run(*arguments, "train", "--measures", "RR")
    with pytest.raises(ConfigError, match="no split 'dev' in beir; known: test, train"):
        commands.run(*arguments, "dev")
    with pytest.raises(UserError, match=r"--split test with the file .*expected a collection"):
        commands.run("evaluate", run, "--qrels", folder / "qrels" / "test.tsv", "--split", "test")


@pytest.mark.usefixtures("folder")
def test_tables_for_papers():
    runs = ("good.trec", "bad.trec", "--qrels", "qrels.tsv", "--measures", "RR")
    assert call(*runs, "--format", "latex").stdout.startswith("% dragoman")
    assert "| a good | **1.0000** |" in call(*runs, "--format", "markdown").stdout
    lines = call(*runs, "--by-query").stdout.splitlines()
    assert lines[:2] == ["query,good RR,bad RR", "q1,1.0,0.5"]
    values = json.loads(call(*runs, "--by-query", "--json").stdout)["runs"][0]["queries"]
    assert values["q1"] == {"RR": 1.0}
    with pytest.raises(UserError, match="--by-query with --format latex"):
        call(*runs, "--by-query", "--format", "latex")


@pytest.mark.usefixtures("folder")
def test_a_report_says_how_it_was_computed():
    settings = json.loads(call("good.trec", "--qrels", "qrels.tsv", "--json").stdout)["settings"]
    assert (settings["seed"], settings["queries"], settings["correction"]) == (0, 3, "Holm")
    assert len(settings["judgments"]) == 32
