"""``dragoman tune``, as a person runs it."""

import json
import shutil

import pytest
from typer.testing import CliRunner

import dragoman
from commands import run
from dragoman.cli import app, main
from dragoman.tuning.choice import FEWEST_GROUPS
from dragoman.tuning.record import TUNING, saved_tuning
from small_index import small_index
from small_tuning import EASY, MISLEADING, QUERIES, RIGHT, tunable_index


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tune") / "index"
    tunable_index(folder).close()
    return folder


@pytest.fixture
def index(built, tmp_path):
    return shutil.copytree(built, tmp_path / "index")


@pytest.fixture
def judged(tmp_path):
    """Options that name queries and judgments."""
    return options(tmp_path, QUERIES)


def options(folder, queries, judgments=RIGHT):
    lines = [json.dumps({"_id": q.query_id, "text": q.text, "lang": "en"}) for q in queries]
    (folder / "queries.jsonl").write_text("\n".join(lines), encoding="utf-8")
    rows = [f"{q}\t{d}\t{grade}" for q, mine in judgments.items() for d, grade in mine.items()]
    rows = ["query-id\tcorpus-id\tscore", *rows]
    (folder / "qrels.tsv").write_text("\n".join(rows), encoding="utf-8")
    return "--queries", folder / "queries.jsonl", "--qrels", folder / "qrels.tsv"


def weights(folder):
    with dragoman.open(folder) as index:
        tuned = saved_tuning(index)
    return dict(tuned.weights) if tuned else {}


def search(folder):
    return run("search", folder, QUERIES[0].text, "--query-language", "en", "--no-group", "--json")


def failed(monkeypatch, capsys, *arguments):
    """The exit code and the error of a command."""
    monkeypatch.setattr("sys.argv", ["dragoman", *map(str, arguments)])
    with pytest.raises(SystemExit) as left:
        main()
    return left.value.code, capsys.readouterr().err


def test_a_gain_is_saved_shown_and_reset(index, judged):
    before = search(index)
    printed = run("tune", index, *judged)
    assert "keyword_weight       56      0.3     0.5" in printed
    assert "nDCG@10 of 56 queries: 0.0000 with the default weights, 1.0000 on held-out" in printed
    assert printed.endswith(f"{index}: tuned\n")
    assert weights(index) == {"keyword_weight": 0.5}
    assert "tuned        keyword_weight 0.5; nDCG@10 1.0000 on held-out" in run("info", index)
    assert json.loads(run("info", index, "--json"))["tuned"]["queries"] == 56
    assert search(index) != before
    assert run("tune", index, "--reset", "--dry-run").endswith("would be restored\n")
    assert weights(index)
    assert run("tune", index, "--reset") == f"{index}: the weights of its build are restored\n"
    assert search(index) == before
    assert "nothing was tuned" in run("tune", index, "--reset")
    assert json.loads(run("info", index, "--json"))["tuned"] is None


def test_a_dry_run_changes_nothing(index, judged):
    assert run("tune", index, *judged, "--dry-run").endswith(
        f"{index}: unchanged (--dry-run); this choice would be saved\n"
    )
    assert weights(index) == {}


def test_the_choice_as_json(index, judged):
    found = json.loads(run("tune", index, *judged, "--measure", "RR@5", "--json"))
    assert (found["saved"], found["is_gain"], found["measure"]) == (True, True, "RR@5")
    assert found["weights"] == weights(index) == {"keyword_weight": 0.5}
    assert found["choices"][0]["groups"] == 56


def test_where_nothing_gains_the_index_is_unchanged(index, tmp_path):
    printed = run("tune", index, *options(tmp_path, EASY), "--force")
    assert printed.endswith("unchanged; no other weight gains more than one standard error\n")
    assert weights(index) == {}


def test_a_gain_that_may_be_chance_is_saved_by_force_alone(index, tmp_path):
    # vectors are right for 33 queries, words for 23: above one standard error, below two
    judgments = {
        query.query_id: (RIGHT if place * 37 % 56 < 33 else MISLEADING)[query.query_id]
        for place, query in enumerate(QUERIES)
    }
    command = "tune", index, *options(tmp_path, QUERIES, judgments), "--measure", "Success@1"
    printed = run(*command)
    assert "may be chance. Judge more queries, or save the choice with --force" in printed
    assert weights(index) == {}
    assert run(*command, "--force").endswith(f"{index}: tuned\n")
    assert weights(index).keys() == {"keyword_weight"}
    assert "unchanged, as tuned on 20" in run(*command)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Expected --queries and --qrels together, or --reset alone"),
        (("--queries", "q.jsonl"), "Expected --queries and --qrels together"),
        (("--reset", "--qrels", "q.tsv"), "or --reset alone"),
    ],
)
def test_options_that_do_not_fit_are_refused(index, monkeypatch, capsys, arguments, message):
    code, error = failed(monkeypatch, capsys, "tune", index, *arguments)
    assert code == 2
    assert message in error


def test_wrong_measures_systems_and_too_few_queries_are_refused(
    index, judged, tmp_path, monkeypatch, capsys
):
    other = small_index(tmp_path / "bm25")
    few = (tmp_path / "few").mkdir() or options(tmp_path / "few", QUERIES[:5])
    for arguments, message in [
        ((index, *judged, "--measure", "AQWV(beta=40)"), "one measure that every query has"),
        ((other, *judged), "system bm25, which has no weights"),
        ((index, *few), f"5 for keyword_weight); expected {FEWEST_GROUPS} or more"),
        (("http://127.0.0.1:1", *judged), "found the address of a service"),
    ]:
        code, error = failed(monkeypatch, capsys, "tune", *arguments)
        assert code == 2
        assert message in error
    assert weights(index) == {}


def test_a_record_that_cannot_be_read_is_reset(index, monkeypatch, capsys):
    with dragoman.open(index) as opened:
        opened.change(lambda store: store.add((), {TUNING: "{"}))
    code, error = failed(monkeypatch, capsys, "search", index, "lumado")
    assert code == 2
    assert "dragoman tune INDEX --reset" in error
    assert "are restored" in run("tune", index, "--reset")
    assert run("search", index, "lumado")


def test_queries_that_do_not_fit_are_counted(index, tmp_path):
    judgments = {**RIGHT, "lost": {"dq00": 1}}
    command = ["tune", index, *options(tmp_path, QUERIES, judgments), "--dry-run"]
    done = CliRunner().invoke(app, [*map(str, command)])
    assert "warning: 1 judged queries have no text and were left out: lost" in done.stderr


def test_a_repeated_run_names_the_tuned_weights(index, judged, tmp_path):
    run("run", index, "--queries", judged[1], "-o", tmp_path / "before.trec", "-k", 5)
    run("tune", index, *judged)
    done = CliRunner().invoke(app, ["rerun", str(tmp_path / "before.trec")])
    assert "then, {'keyword_weight': 0.5} now" in done.stderr
