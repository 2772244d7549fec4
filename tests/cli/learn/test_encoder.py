import json

import numpy as np
import pytest
from typer.testing import CliRunner

from dragoman.cli import app
from dragoman.encoders.quantization import quantize
from dragoman.encoders.sentence_encoder import load_encoder
from dragoman.encoders.student import Student
from dragoman.encoders.subwords import SubwordVocabulary, word_key
from dragoman.errors import ConfigError

ENGLISH = ["water", "fire", "man", "house"]
SWAHILI = ["maji", "moto", "mtu", "nyumba"]


@pytest.fixture
def teacher(tmp_path):
    keys = sorted(map(word_key, ENGLISH))
    table = np.zeros((4, 64), dtype=np.float32)
    for axis, word in enumerate(ENGLISH):
        table[keys.index(word_key(word)), axis] = 1
    vocabulary = SubwordVocabulary(
        np.array(keys, dtype=np.uint32), np.ones(4, dtype=np.float16), 1.0
    )
    axes = np.eye(64, dtype=np.float16)
    student = Student("en", "toy", vocabulary, quantize(table, 8), basis=axes)
    student.save(tmp_path / "teacher")
    return tmp_path / "teacher"


@pytest.fixture
def bitext(tmp_path):
    rng = np.random.default_rng(5)
    rows = [rng.integers(0, 4, size=n) for n in rng.integers(2, 9, size=300)]
    lines = {
        " ".join(ENGLISH[i] for i in row) + "\t" + " ".join(SWAHILI[i] for i in row) for row in rows
    }
    (tmp_path / "en-sw.tsv").write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
    return tmp_path / "en-sw.tsv"


def run(*arguments):
    command = ["learn", "encoder", *map(str, arguments)]
    return CliRunner().invoke(app, command, env={"COLUMNS": "200"})


def test_a_student_comes_out_that_can_be_loaded_and_knows_its_words(bitext, teacher, tmp_path):
    output = tmp_path / "swahili"
    found = run(bitext, "--languages", "en-sw", "--teacher", teacher, "-o", output)
    assert found.exit_code == 0, found.output
    assert "held-out sentences, the translation comes first: sw-en" in found.stdout
    scores = load_encoder(output).encode(SWAHILI) @ load_encoder(teacher).encode(ENGLISH).T
    assert scores.argmax(axis=1).tolist() == [0, 1, 2, 3]


def test_the_report_as_json(bitext, teacher, tmp_path):
    asked = (bitext, "--languages", "en-sw", "--teacher", teacher, "-o", tmp_path / "x", "--json")
    report = json.loads(run(*asked).stdout)
    assert report["language"] == "sw"
    assert 0 <= report["to_known"] <= 1


def test_a_known_side_that_the_teacher_lacks_is_refused(bitext, teacher, tmp_path):
    found = run(bitext, "--languages", "fr-sw", "--teacher", teacher, "-o", tmp_path / "x")
    assert isinstance(found.exception, ConfigError)
    assert "does not support 'fr'" in str(found.exception)
    assert not (tmp_path / "x").exists()


def test_wrong_bits_are_refused_before_the_work(bitext, teacher, tmp_path):
    options = ("--teacher", teacher, "-o", tmp_path / "x", "--bits", 3)
    found = run(bitext, "--languages", "en-sw", *options)
    assert isinstance(found.exception, ConfigError)
    assert "bits must be one of 1, 2, 4, 8, got 3" in str(found.exception)
    assert "teaching" not in found.stderr
