import json

import pytest

from dragoman.text.readers.contents import FileText, UnreadableFile
from dragoman.text.readers.formats import json_records
from file_contents import contents, contents_of_damaged, texts


def written(path, value):
    path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path


def test_a_list_has_a_text_for_every_record(tmp_path):
    records = [
        {"title": "Brot", "text": "Mehl", "lang": "de", "n": {"a": 1, "b": None}, "tags": ["x", 2]},
        {"text": "Wasser"},
        {"text": ""},
        "nur Text",
    ]
    found = contents(written(tmp_path / "a.json", records), "json")
    first, second, last = (one for one in found if isinstance(one, FileText))
    assert texts(found) == ["Mehl", "Wasser", "nur Text"]
    assert (first.name, first.title, first.language) == ("record-1", "Brot", "de")
    assert first.metadata == {"n.a": 1, "tags": ["x", "2"]}
    assert (second.name, last.name) == ("record-2", "record-4")


def test_any_other_value_is_one_text(tmp_path):
    found = contents(
        written(tmp_path / "a.json", {"größe": "drei", "Liste": ["ä", {"ö": 1}]}), "json"
    )
    assert found[0].name == ""
    assert texts(found) == ['größe: drei\nListe: ä\n{"ö": 1}']


def test_lines_are_records_and_blank_ones_are_none(tmp_path):
    path = written(tmp_path / "a.jsonl", '{"text": "a"}\n\n{"text": "b"}\n')
    found = contents(path, "jsonl")
    assert texts(found) == ["a", "b"]
    assert found[2].name == "record-3"


def test_numbers_that_no_index_can_hold_become_text(tmp_path):
    path = written(
        tmp_path / "a.json", '{"text": "x", "a": NaN, "b": -Infinity, "c": 1e999, "d": %s}' % 2**70
    )
    (begun, _) = contents(path, "json")
    assert begun.metadata["a"] == "NaN"
    assert begun.metadata["b"] == "-Infinity"
    assert begun.metadata["c"] == "inf"
    assert begun.metadata["d"] == str(2**70)


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        ("json", '{"a": ', "broken JSON"),
        ("json", "", "broken JSON"),
        ("json", "[" * 100_000, "broken JSON"),
        ("json", '{"a":' * 500 + "1" + "}" * 500, "more than 50 objects inside each other"),
        ("jsonl", '{"text": "a"}\n{', "broken JSON in line 2"),
    ],
)
def test_broken_json_says_where(name, source, expected, tmp_path):
    with pytest.raises(UnreadableFile, match=expected):
        contents(written(tmp_path / "a", source), name)


def test_files_and_lines_that_are_too_large_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(json_records, "LARGEST", 10)
    monkeypatch.setattr(json_records, "LONGEST_LINE", 10)
    path = written(tmp_path / "a", '{"text": "longer"}')
    with pytest.raises(UnreadableFile, match="JSON lines have no such limit"):
        contents(path, "json")
    with pytest.raises(UnreadableFile, match="more than 10 letters in line 1"):
        contents(path, "jsonl")


def test_broken_lines_cost_no_others_and_are_counted(tmp_path):
    path = written(tmp_path / "a", '{"text": "a"}\n{"te\n{"text": "c"}\n{"text"')
    found, damage = contents_of_damaged(path, "jsonl")
    assert texts(found) == ["a", "c"]
    assert damage.startswith("broken JSON in line 2 (")
    assert damage.endswith("; 2 of 4 lines are broken")


def test_what_follows_a_line_that_is_too_long_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(json_records, "LONGEST_LINE", 20)
    path = written(tmp_path / "a", f'{{"text": "{"x" * 90}"}}\n{{"text": "b"}}\n')
    found, damage = contents_of_damaged(path, "jsonl")
    assert texts(found) == ["b"]
    assert damage == "more than 20 letters in line 1; 1 of 2 lines are broken"


def test_the_first_records_of_a_list_that_breaks_off_are_read(tmp_path):
    path = written(tmp_path / "a", ' [\n{"text": "a"},\n{"text": "b"},\n{"text": "c')
    found, damage = contents_of_damaged(path, "json")
    assert texts(found) == ["a", "b"]
    assert damage.startswith("broken JSON (")
