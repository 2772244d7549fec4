import pytest

from dragoman.errors import InputError
from dragoman.training.saved import read_versioned, write_versioned


def test_facts_come_back_without_format_and_version(tmp_path):
    path = tmp_path / "model.json"
    write_versioned(path, "some-model", 2, {"words": ["perch\u00e9"], "size": 3})
    assert "perch\u00e9" in path.read_text(encoding="utf-8")
    assert read_versioned(path, "some-model", 2, "a model") == {"words": ["perch\u00e9"], "size": 3}


def test_other_formats_and_damaged_files_are_refused(tmp_path):
    path = tmp_path / "model.json"
    write_versioned(path, "some-model", 2, {})
    with pytest.raises(InputError, match="found format 'some-model' version 2; expected"):
        read_versioned(path, "some-model", 3, "a model")
    with pytest.raises(InputError, match="expected 'other' version 2"):
        read_versioned(path, "other", 2, "a model")
    path.write_text("{")
    with pytest.raises(InputError, match=r"nothing readable .*; expected a model"):
        read_versioned(path, "some-model", 2, "a model")
    with pytest.raises(InputError, match="nothing readable"):
        read_versioned(tmp_path / "gone.json", "some-model", 2, "a model")
