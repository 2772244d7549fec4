import os
from pathlib import Path

import pytest

from dragoman.errors import OutputError
from dragoman.storage import outputs


def test_what_can_be_written_is_given_back_and_nothing_is_created(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    for name in ("file", "new", "a/b/new"):
        assert outputs.require_writable_file(tmp_path / name) == tmp_path / name
    for name in ("folder", "new", "a/b/new"):
        assert outputs.require_writable_folder(tmp_path / name) == tmp_path / name
        assert outputs.require_changeable_folder(tmp_path / name) == tmp_path / name
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder"]


@pytest.mark.parametrize(
    ("check", "name", "message"),
    [
        ("file", "folder", "found a folder; expected a regular file or a new name"),
        ("file", "pipe", "found a pipe or a device; expected a regular file"),
        ("folder", "file", "found a file; expected the name of a folder"),
        ("file", "file/x/y", r"found the file .*/file above it; expected a folder there"),
        ("folder", "file/x", r"found the file .*/file above it; expected a folder there"),
    ],
)
def test_what_cannot_be_written_is_named_as_it_was_typed(check, name, message, tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OutputError, match=f"/{name}: {message}"):
        getattr(outputs, f"require_writable_{check}")(tmp_path / name)


def test_a_relative_name_is_below_the_current_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = outputs.require_writable_file(tmp_path.relative_to(tmp_path) / "a")
    assert str(path) == "a"


@pytest.mark.parametrize("check", ["require_writable_folder", "require_changeable_folder"])
def test_an_address_is_no_folder(check, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OutputError, match=r"qdrant://a:6333/news: found an address.*--store"):
        getattr(outputs, check)(Path("qdrant://a:6333/news"))
    assert not [*tmp_path.iterdir()]
