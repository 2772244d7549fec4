import gzip
import json
import os
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from dragoman.cli import app
from dragoman.errors import ConfigError, InputError, UnknownLanguage
from dragoman.lexicons.lexicon import Lexicon

LINES = [
    ("The house stands near water.", "Nyumba inasimama karibu maji."),
    ("Water flows below the house.", "Maji yanapita chini nyumba."),
    ("The teacher drinks water.", "Mwalimu anakunywa maji."),
    ("A house burns.", "Nyumba inaungua."),
]


def run(*arguments):
    return CliRunner().invoke(app, ["learn", "lexicon", *map(str, arguments)])


@pytest.fixture
def bitext(tmp_path):
    path = tmp_path / "en-sw.tsv"
    path.write_text("".join(f"{left}\t{right}\n" for left, right in LINES), encoding="utf-8")
    return path


def test_a_table_and_a_report_come_out(bitext, tmp_path):
    found = run(bitext, "--languages", "en-sw", "-o", tmp_path / "table")
    assert found.exit_code == 0, found.output
    assert "Learnt en-sw from 4 sentence pairs and 0 dictionary entries" in found.stdout
    assert "Model 1, round 1: log likelihood" in found.stderr
    assert "hous" in found.stdout
    lexicon = Lexicon.load(tmp_path / "table")
    assert lexicon.translations("hous", 1)[0][0] == "nyumba"


def test_the_report_as_json(bitext, tmp_path):
    found = run(bitext, "--languages", "en-sw", "-o", tmp_path / "table", "--json")
    report = json.loads(found.stdout)
    assert report["pairs"] == 4
    assert len(report["rounds"]) == 10
    assert report["sides"][0]["translations"]["hous"][0][0] == "nyumba"


def test_compressed_bitext_with_a_third_column_and_a_dictionary(tmp_path):
    with gzip.open(tmp_path / "en-sw.tsv.gz", "wt", encoding="utf-8") as stream:
        stream.writelines(f"{left}\t{right}\ttatoeba\n" for left, right in LINES)
    (tmp_path / "words.tsv").write_text("tree\tmti\n", encoding="utf-8")
    found = run(
        *(tmp_path / "en-sw.tsv.gz", "--dictionary", tmp_path / "words.tsv"),
        *("--languages", "eng-swh", "-o", tmp_path / "table"),
    )
    assert found.exit_code == 0, found.output
    lexicon = Lexicon.load(tmp_path / "table")
    assert (lexicon.source, lexicon.target) == ("en", "sw")
    assert lexicon.translations("tree") == [("mti", 1.0)]


def test_a_dictionary_alone(tmp_path):
    (tmp_path / "words.tsv").write_text("tree\tmti\nhouse\tnyumba\n", encoding="utf-8")
    found = run(
        "--dictionary", tmp_path / "words.tsv", "--languages", "en-sw", "-o", tmp_path / "table"
    )
    assert found.exit_code == 0, found.output
    assert Lexicon.load(tmp_path / "table").translations("tree") == [("mti", 1.0)]


def test_two_aligned_files(tmp_path):
    for name, column in (("text.en", 0), ("text.sw", 1)):
        text = "".join(f"{pair[column]}\n" for pair in LINES)
        (tmp_path / name).write_text(text, encoding="utf-8")
    found = run(
        *(tmp_path / "text.en", tmp_path / "text.sw"),
        *("--languages", "en-sw", "-o", tmp_path / "table"),
    )
    assert found.exit_code == 0, found.output


def test_misaligned_files_are_refused(tmp_path):
    (tmp_path / "text.en").write_text("one\ntwo\nthree\n", encoding="utf-8")
    (tmp_path / "text.sw").write_text("moja\nmbili\n", encoding="utf-8")
    found = run(
        *(tmp_path / "text.en", tmp_path / "text.sw"),
        *("--languages", "en-sw", "-o", tmp_path / "table"),
    )
    assert isinstance(found.exception, InputError)
    assert "3 lines in" in str(found.exception)
    assert not (tmp_path / "table").exists()


def test_an_empty_side_is_refused_or_skipped(tmp_path, bitext):
    bitext.write_text(bitext.read_text(encoding="utf-8") + "word\t\n", encoding="utf-8")
    asked = (bitext, "--languages", "en-sw", "-o", tmp_path / "table")
    refused = run(*asked)
    assert isinstance(refused.exception, InputError)
    assert "line 5: found an empty target" in str(refused.exception)
    skipped = run(*asked, "--on-error", "skip")
    assert skipped.exit_code == 0, skipped.output
    assert "skipped 1" in skipped.stderr


@pytest.mark.parametrize(
    ("languages", "error", "message"),
    [
        ("en-en", ConfigError, "twice"),
        ("en", ConfigError, "expected two codes joined by a hyphen"),
        ("en-xx", UnknownLanguage, "Unknown language 'xx'"),
    ],
)
def test_languages_that_make_no_pair(bitext, tmp_path, languages, error, message):
    found = run(bitext, "--languages", languages, "-o", tmp_path / "table")
    assert isinstance(found.exception, error)
    assert message in str(found.exception)


def test_nothing_to_learn_from(tmp_path):
    found = run("--languages", "en-sw", "-o", tmp_path / "table")
    assert isinstance(found.exception, ConfigError)
    assert "found no bitext and no dictionary" in str(found.exception)


def test_a_killed_run_leaves_the_old_table_whole(bitext, tmp_path):
    output = tmp_path / "out" / "table"
    assert run(bitext, "--languages", "en-sw", "-o", output).exit_code == 0
    before = {path.name: path.read_bytes() for path in output.iterdir()}
    pairs = "".join(f"word{n} house tree{n}\tneno{n} nyumba mti{n}\n" for n in range(50_000))
    bitext.write_text(pairs, encoding="utf-8")
    arguments = ["learn", "lexicon", str(bitext), "--languages", "en-sw", "-o", str(output)]
    process = subprocess.Popen(
        [sys.executable, "-m", "dragoman", *arguments, "--rounds", "500"],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    for line in process.stderr:  # killed in the middle of training
        if line.startswith("Model 1, round 2"):
            break
    process.send_signal(signal.SIGKILL)
    process.stderr.close()
    assert process.wait(timeout=30) == -signal.SIGKILL
    assert {path.name: path.read_bytes() for path in output.iterdir()} == before
    assert [path.name for path in output.parent.iterdir()] == ["table"]


def test_a_run_killed_while_saving_leaves_no_half_table(tmp_path):
    output = tmp_path / "out" / "table"
    script = f"""
import os, signal
from pathlib import Path
from dragoman.storage.facts import Format
from dragoman.lexicons.learning import learn_lexicon
from dragoman.types import DictionaryEntry
table = learn_lexicon([], [DictionaryEntry("tree", "mti")], "en", "sw").lexicon
Format.write = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
table.save(Path({str(output)!r}))
"""
    killed = subprocess.run([sys.executable, "-c", script], timeout=60, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert not output.exists()


def test_columns_that_look_swapped_are_warned_about_with_what_to_do(bitext, tmp_path):
    found = run(bitext, "--languages", "sw-en", "-o", tmp_path / "table")
    assert found.exit_code == 0
    warning = " ".join(found.stderr.split())
    assert f"warning: {bitext}: the columns look swapped. The first looks like English" in warning
    assert "repeat the command with --languages en-sw." in warning
    assert "warning" not in run(bitext, "--languages", "en-sw", "-o", tmp_path / "table").stderr


def test_aligned_files_and_dictionaries_are_looked_at_too(bitext, tmp_path):
    for column, name in enumerate(("a.txt", "b.txt")):
        (tmp_path / name).write_text("\n".join(line[column] for line in LINES), encoding="utf-8")
    files = (tmp_path / "a.txt", tmp_path / "b.txt")
    found = run(*files, "--dictionary", bitext, "--languages", "sw-en", "-o", tmp_path / "table")
    warnings = " ".join(found.stderr.split())
    assert f"{files[0]}, {files[1]}: the columns look swapped" in warnings
    assert f"{bitext}: the columns look swapped" in warnings
