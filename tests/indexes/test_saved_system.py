import pytest

from dragoman.errors import IndexFault
from dragoman.indexes.saved_system import read_facts, write_facts


def test_what_was_written_is_read(tmp_path):
    write_facts(tmp_path, "tf", warnings=["one"])
    assert read_facts(tmp_path, "tf") == {"system": "tf", "warnings": ["one"]}
    assert read_facts(tmp_path)["system"] == "tf"


def test_the_settings_of_another_system_are_refused(tmp_path):
    write_facts(tmp_path, "tf")
    with pytest.raises(IndexFault, match="found 'tf'; expected 'idf'"):
        read_facts(tmp_path, "idf")


@pytest.mark.parametrize("text", [None, "", "[]", "{}", "{"])
def test_a_folder_without_settings_is_said(tmp_path, text):
    if text is not None:
        (tmp_path / "config.json").write_text(text, encoding="utf-8")
    with pytest.raises(IndexFault, match="build the index again"):
        read_facts(tmp_path)
