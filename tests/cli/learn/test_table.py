import gzip
import json

import pytest

from commands import run
from dragoman.errors import ConfigError, UnknownName
from dragoman.lexicons.lexicon import Lexicon


def learn(tmp_path, *arguments):
    return run("learn", "table", *arguments, "-o", tmp_path / "out")


def test_a_table_becomes_a_lexicon_that_an_index_uses(tmp_path):
    table = tmp_path / "eng-yor.json"
    table.write_text(json.dumps({"bread": {"búrẹ́dì": 1.0}, "water": {"omi": 1.0}}))
    assert "2 word pairs of 2 terms" in learn(tmp_path, table, "--languages", "en-yo")
    assert Lexicon.load(tmp_path / "out").target == "yo"


@pytest.fixture
def lexicon(tmp_path):
    words = tmp_path / "words.tsv"
    words.write_text("bread\tmkate\nwater\tmaji\n")
    folder = tmp_path / "en-sw"
    run("learn", "lexicon", "--dictionary", words, "--languages", "en-sw", "-o", folder)
    return folder


def test_a_learnt_lexicon_is_written_as_a_table(lexicon, tmp_path):
    run("learn", "table", lexicon, "--languages", "en-sw", "-o", tmp_path / "eng-swa.json")
    table = json.loads((tmp_path / "eng-swa.json").read_text())
    assert set(table) == {"bread", "water"}
    assert all(sum(row.values()) > 0.99 for row in table.values())


def test_the_other_direction_has_the_words_of_the_other_language(lexicon, tmp_path):
    run("learn", "table", lexicon, "--languages", "sw-en", "-o", tmp_path / "swa-eng.json.gz")
    table = json.loads(gzip.decompress((tmp_path / "swa-eng.json.gz").read_bytes()))
    assert list(table["mkate"]) == ["bread"]


def test_a_shipped_table_comes_back_the_same(tmp_path):
    run("learn", "table", "--languages", "en-yo", "-o", tmp_path / "eng-yor.json")
    table = json.loads((tmp_path / "eng-yor.json").read_text())
    learn(tmp_path, tmp_path / "eng-yor.json", "--languages", "en-yo")
    found = dict(Lexicon.load(tmp_path / "out").translations("water", 1000))
    assert found == pytest.approx(table["water"], rel=1e-3)


def test_a_lexicon_of_other_languages_is_refused(lexicon, tmp_path):
    with pytest.raises(ConfigError, match="a lexicon for en-sw; expected one for en-fr"):
        learn(tmp_path, lexicon, "--languages", "en-fr")
    with pytest.raises(UnknownName, match="shipped lexicon"):
        learn(tmp_path, "--languages", "en-la")
