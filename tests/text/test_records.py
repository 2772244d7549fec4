from pathlib import Path

import pytest

from dragoman.errors import InputError
from dragoman.text import records
from dragoman.text.files import Faults, OnError

HERE = records.Location(Path("a.jsonl"), 7)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ('{"_id": "1"', "broken JSON \\(Expecting ',' delimiter at column 12\\)"),
        ("[1]", "a list"),
        ('"text"', "a string"),
        ("null", "a null"),
        ("true", "a boolean"),
        ('{"a": NaN}', "JSON that cannot be read \\(NaN is not JSON\\)"),
        ('{"a": ' + "[" * 100_000, "JSON that cannot be read"),
        ('{"a": ' + "1" * 10_000 + "}", "JSON that cannot be read"),
        (r'{"a": "\ud800"}', "half of a surrogate pair"),
    ],
)
def test_a_line_that_is_no_object_is_told_with_its_place(line, found):
    with pytest.raises(InputError, match=f"a.jsonl, line 7: found {found}"):
        records.parse_object(HERE, line)


def test_escaped_pairs_of_surrogates_are_text():
    assert records.parse_object(HERE, r'{"a": "\ud83d\ude00"}') == {"a": "\U0001f600"}


@pytest.mark.parametrize(
    ("value", "found"),
    [(5, "a number"), (True, "a boolean"), (None, "a null"), ([], "a list"), ({}, "an object")],
)
def test_a_field_of_the_wrong_type_is_named(value, found):
    with pytest.raises(InputError, match=f"found {found} in 'text'; expected a string"):
        records.required_text(HERE, {"text": value}, "text")


def test_a_missing_field_is_told_with_the_fields_there_are():
    with pytest.raises(InputError, match=r"no field '_id' \(fields: id, body\)"):
        records.required_text(HERE, {"id": "1", "body": ""}, "_id")


@pytest.mark.parametrize("value", ["", " ", "\u3000"])
def test_an_empty_id_names_nothing(value):
    with pytest.raises(InputError, match="found an empty id"):
        records.check_id(HERE, value)


@pytest.mark.parametrize("value", ["a\tb", "a\n", "\r"])
def test_an_id_fits_on_a_line(value):
    with pytest.raises(InputError, match=r"without tabs and line breaks|an empty id"):
        records.check_id(HERE, value)


def test_languages_are_brought_to_one_form():
    codes = ("", "de", "deu", "de-AT", "EN")
    assert [records.check_language(HERE, code) for code in codes] == ["", "de", "de", "de", "en"]
    with pytest.raises(InputError, match="line 7: found the language 'xx-klingonish'"):
        records.check_language(HERE, "xx-klingonish")


@pytest.mark.parametrize("text", ["", "1.0", "one", "٣", "1" * 30, "1_000", " 1"])
def test_whole_numbers_are_ascii_digits(text):
    with pytest.raises(InputError, match="expected a whole number"):
        records.parse_int(HERE, text, "grade")


def test_faults_are_counted_or_raised_and_blank_lines_pass(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("1\n\n  \nx\n2\n1\n")
    faults = Faults(OnError.SKIP)

    def parse(location, line):
        return records.parse_int(location, line, "number")

    assert list(records.parse_lines(path, faults, parse, identify=str)) == [1, 2]
    assert [example.partition(": ")[2] for example in faults.examples] == [
        "found the number 'x'; expected a whole number.",
        "found the id '1' a second time; expected every id once.",
    ]
    with pytest.raises(InputError, match="line 4: found the number 'x'"):
        list(records.parse_lines(path, Faults(), parse))


def test_a_file_of_blank_lines_holds_no_record(tmp_path):
    path = tmp_path / "a.txt"
    path.write_text("\n \n")
    with pytest.raises(InputError, match="found no record; expected at least one"):
        list(records.parse_lines(path, Faults(), lambda location, line: line))


def test_messages_repeat_little_of_a_long_value():
    assert len(records.show("x" * 1000)) < 70
