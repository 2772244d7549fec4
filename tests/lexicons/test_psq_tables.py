import gzip
import json

import pytest

from dragoman.errors import InputError
from dragoman.lexicons.psq_tables import (
    lexicon_of_table,
    psq_table,
    read_psq_table,
    write_psq_table,
)
from dragoman.text.files import Faults, OnError

TABLE = {"bread": {"mkate": 0.75, "mikate": 0.25}, "water": {"maji": 1.0}, "the": {"maji": 1.0}}


def test_both_forms_are_read(tmp_path):
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(json.dumps(TABLE).encode()))
    lines = [f"{s} {t} {p}" for s, row in TABLE.items() for t, p in row.items()]
    (tmp_path / "lex.e2f").write_text("\n".join(lines))
    assert read_psq_table(tmp_path / "a.json.gz", Faults()) == TABLE
    assert read_psq_table(tmp_path / "lex.e2f", Faults()) == TABLE


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"bread": {"mkate": 1.5}}', "something else than probabilities at 'bread'"),
        ('{"bread": ["mkate"]}', "something else than probabilities"),
        ('{"bread": ', "broken JSON"),
        ("bread mkate\n", "2 columns"),
        ("bread mkate 7\n", "the probability 7"),
    ],
)
def test_what_is_no_table_is_refused(tmp_path, text, found):
    path = tmp_path / "table"
    path.write_text(text)
    with pytest.raises(InputError, match=found):
        read_psq_table(path, Faults())


def test_bad_lines_can_be_skipped(tmp_path):
    path = tmp_path / "lex"
    path.write_text("bread mkate\nwater maji 1.0\n")
    assert read_psq_table(path, Faults(OnError.SKIP)) == {"water": {"maji": 1.0}}


def test_probabilities_of_a_lexicon_are_those_of_the_table():
    lexicon = lexicon_of_table({"bread": {"mkate": 0.6, "maji": 0.2}}, "en", "sw")
    ((best, p), (other, q)) = lexicon.translations("bread")
    assert p == pytest.approx(0.75)
    assert q == pytest.approx(0.25)
    assert best != other


def test_stop_words_are_left_out_and_both_directions_made():
    lexicon = lexicon_of_table(TABLE, "en", "sw")
    assert "the" not in lexicon.source_words
    back = dict(lexicon.reversed().translations(*lexicon.translations("water", 1)[0][:1]))
    assert back == {"water": pytest.approx(1.0)}


def test_a_table_without_words_is_refused():
    with pytest.raises(InputError, match="no word pair"):
        lexicon_of_table({"the": {"maji": 1.0}}, "en", "sw")


def test_a_table_survives_writing(tmp_path):
    lexicon = lexicon_of_table(TABLE, "en", "sw")
    path = tmp_path / "table.json"
    assert write_psq_table(path, lexicon) == lexicon.forward.nnz
    again = lexicon_of_table(read_psq_table(path, Faults()), "en", "sw")
    for word, translations in psq_table(lexicon).items():
        assert dict(again.translations(word)) == pytest.approx(translations, abs=1e-6)
