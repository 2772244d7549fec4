import json

from commands import run
from dragoman.lexicons.lexicon import Lexicon


def test_a_table_becomes_a_lexicon_that_an_index_uses(tmp_path):
    table = tmp_path / "eng-yor.json"
    table.write_text(json.dumps({"bread": {"búrẹ́dì": 1.0}, "water": {"omi": 1.0}}))
    printed = run("learn", "table", table, "--languages", "en-yo", "-o", tmp_path / "en-yo")
    assert "2 word pairs from 2 words" in printed
    assert Lexicon.load(tmp_path / "en-yo").target == "yo"


def test_a_learnt_lexicon_is_written_as_a_table(tmp_path):
    words = tmp_path / "words.tsv"
    words.write_text("bread\tmkate\nwater\tmaji\n")
    run(
        *("learn", "lexicon", "--dictionary", words, "--languages", "en-sw"),
        *("-o", tmp_path / "en-sw", "--psq-table", tmp_path / "en-sw.json"),
    )
    table = json.loads((tmp_path / "en-sw.json").read_text())
    assert set(table) == {"bread", "water"}
    assert all(sum(row.values()) > 0.99 for row in table.values())
