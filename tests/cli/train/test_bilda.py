import json
import os
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from dragoman.cli import app
from dragoman.errors import ConfigError, InputError
from dragoman.systems.bilda.model import TopicModel

ENGLISH = ["water river sea ship", "bread wheat oven flour", "water ship harbour", "wheat bread"]
FRENCH = ["eau rivière mer navire", "pain blé four farine", "eau navire port", "blé pain"]
SHORT = ("--topics", "2", "--burn-in", "5", "--every", "5", "--sweeps", "20")


def run(*arguments):
    return CliRunner().invoke(app, ["train", "bilda", *map(str, arguments)])


@pytest.fixture
def files(tmp_path):
    for code, lines in (("en", ENGLISH), ("fr", FRENCH)):
        text = "".join(line + "\n" for line in lines * 5)
        (tmp_path / code).write_text(text, encoding="utf-8")
    return tmp_path / "en", tmp_path / "fr"


def test_topics_of_aligned_files(files, tmp_path):
    found = run(*files, "--languages", "en-fr", "-o", tmp_path / "model", *SHORT)
    assert found.exit_code == 0, found.output
    assert "Learnt 2 topics of en and fr from 20 documents (130 words), 3 samples" in found.stdout
    assert "sweep 1: perplexity" in found.stderr
    assert TopicModel.load(tmp_path / "model").languages == ("en", "fr")
    assert not (tmp_path / "model.training").exists()


def test_the_report_as_json(files, tmp_path):
    found = run(*files, "--languages", "en-fr", "-o", tmp_path / "model", *SHORT, "--json")
    report = json.loads(found.stdout)
    assert report["documents"] == 20
    assert report["words"] == {"en": 9, "fr": 9}
    assert {"water", "ship"} <= set(report["largest"][0]["en"] + report["largest"][1]["en"])


def test_topics_of_a_collection(tmp_path):
    rows = [
        {"_id": f"{code}:{number}", "text": text, "lang": code}
        for code, lines in (("en", ENGLISH), ("fr", FRENCH))
        for number, text in enumerate(lines)
    ]
    queries = [
        {"_id": str(number), "text": "q", "lang": "en", "split": "train"} for number in "013"
    ]
    for name, lines in (("corpus", rows), ("queries", queries)):
        text = "".join(json.dumps(line) + "\n" for line in lines)
        (tmp_path / f"{name}.jsonl").write_text(text)
    options = ("--languages", "en-fr", "-o", tmp_path / "model", *SHORT, "--json")
    assert json.loads(run(tmp_path, *options).stdout)["documents"] == 3
    assert json.loads(run(tmp_path, *options, "--split", "all").stdout)["documents"] == 4


def test_what_is_wrong_is_told(files, tmp_path):
    found = run(files[0], "--languages", "en-fr", "-o", tmp_path / "model")
    assert isinstance(found.exception, InputError)
    options = ("--languages", "en-fr", "-o", tmp_path / "model")
    found = run(*files, *options, "--sweeps", "10")
    assert isinstance(found.exception, ConfigError)
    assert "at least one sample" in str(found.exception)


def test_interrupted_it_goes_on_where_it_was(files, tmp_path):
    command = [
        *(sys.executable, "-m", "dragoman", "train", "bilda", *map(str, files)),
        *("--languages", "en-fr", "-o", str(tmp_path / "model"), "--topics", "2"),
        *("--sweeps", "100000"),
    ]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ}
    ) as training:
        state = tmp_path / "model.training" / "training.json"
        limit = time.monotonic() + 60
        while not state.exists() and training.poll() is None and time.monotonic() < limit:
            time.sleep(0.02)
        training.send_signal(signal.SIGINT)
        _, told = training.communicate(timeout=30)
    assert training.returncode == 130, told
    done = json.loads(state.read_text())["done"]
    assert 25 <= done < 100_000
    assert not (tmp_path / "model").exists()
    found = run(*files, "--languages", "en-fr", "-o", tmp_path / "model", "--topics", "3")
    assert isinstance(found.exception, ConfigError)
    assert "began with" in str(found.exception)
